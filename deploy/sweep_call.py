"""The call that a scheduler makes every minute."""

from __future__ import annotations

from dataclasses import dataclass, field

KEY_NAME = "SUPABASE_SECRET_KEY"


@dataclass(frozen=True)
class SweepCall:
    """A POST of `{}` with the secret key. A sweep works for 40 seconds at most; the deadline leaves it time to end."""

    url: str
    key: str = field(repr=False)
    name: str = "teesmith-sweep"
    schedule: str = "* * * * *"
    body: str = "{}"
    deadline_seconds: int = 120

    def headers(self, key: str | None = None) -> dict[str, str]:
        """With `key` in place of the real one, for a command that is shown."""
        key = key or self.key
        return {"Content-Type": "application/json", "Authorization": f"Bearer {key}", "apikey": key}
