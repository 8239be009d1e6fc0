"""The files of a project that a test writes itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class ProjectFiles:
    """The content of its `supabase/` folder: migrations by file, functions' `main.py` by slug, others by path."""

    config: str = ""
    migrations: Mapping[str, str] = field(default_factory=dict)
    seed: str = ""
    functions: Mapping[str, str] = field(default_factory=dict)
    others: Mapping[str, str] = field(default_factory=dict)

    def write(self, root: Path) -> None:
        """Writes them below `root`."""
        texts = {
            "config.toml": self.config,
            **({"seed.sql": self.seed} if self.seed else {}),
            **{f"migrations/{name}": text for name, text in self.migrations.items()},
            **{f"functions/{slug}/main.py": text for slug, text in self.functions.items()},
            **self.others,
        }
        (root / "supabase" / "migrations").mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            path = root / "supabase" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
