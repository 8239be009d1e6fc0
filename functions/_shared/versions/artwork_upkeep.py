"""Artwork that nobody needs any more (sql/migrations/…_artwork_upkeep.sql)."""

from __future__ import annotations

from _shared.core.data import Data

# of the rows, looked at with one run
_AT_ONCE = 100


class ArtworkUpkeep:
    """Works as the service; `after_days` is the age at which artwork is removed that nothing uses."""

    def __init__(self, data: Data, *, after_days: int) -> None:
        self._data = data
        self._after_days = after_days

    def retire(self) -> dict[str, int]:
        """Deletes old artwork that nothing shows; the sweep's tasks on objects remove the files. Figures."""
        retired = self._data.value("retire_artwork", {"after_days": self._after_days, "most": _AT_ONCE})
        return {"retired_artwork": int(str(retired))}
