"""The call that a scheduler makes every minute."""

from __future__ import annotations

from dataclasses import dataclass, field

from deploy.function_limits import SWEEP


@dataclass(frozen=True)
class SweepCall:
    """A POST of `{}` with the secret key, whose variable is `key_name`.

    The scheduler waits for as long as the platform lets a sweep work: one that it gave up would count as failed.
    """

    url: str
    key: str = field(repr=False)
    key_name: str
    name: str = "teesmith-sweep"
    schedule: str = "* * * * *"
    body: str = "{}"
    deadline_seconds: int = SWEEP.timeout

    def headers(self, key: str | None = None) -> dict[str, str]:
        """With `key` in place of the real one, for a command that is shown."""
        key = key or self.key
        return {"Content-Type": "application/json", "Authorization": f"Bearer {key}", "apikey": key}
