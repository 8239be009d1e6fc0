"""Makes a function deployable: copies `_shared` beside its `main.py` into `build/functions/<slug>/`.

That folder runs alone under functions-framework and deploys to Cloud Run functions as it is.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

FUNCTIONS = Path(__file__).resolve().parent
BUILD = FUNCTIONS.parent / "build" / "functions"
_LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.pyc")


def slugs() -> list[str]:
    """Every function's folder name."""
    return sorted(path.parent.name for path in FUNCTIONS.glob("*/main.py"))


def bundle(slug: str, build: Path = BUILD) -> Path:
    """The finished folder. It is made anew, so that nothing of an earlier bundle stays behind."""
    if slug not in slugs():
        raise SystemExit(f"There is no function {slug!r}. There are: {', '.join(slugs())}")
    target = build / slug
    if target.exists():
        shutil.rmtree(target)
    shutil.copytree(FUNCTIONS / slug, target, ignore=_LEFT_OUT)
    shutil.copytree(FUNCTIONS / "_shared", target / "_shared", ignore=_LEFT_OUT)
    return target


def main(arguments: list[str]) -> None:
    if len(arguments) != 1:
        raise SystemExit(f"usage: python functions/bundle.py <slug>\nslugs: {', '.join(slugs())}")
    slug = arguments[0]
    folder = bundle(slug)
    target = slug.replace("-", "_")
    sys.stdout.write(
        f"{folder}\nrun it: functions-framework --source {folder / 'main.py'} --target {target}\n"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
