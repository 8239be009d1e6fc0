"""Makes functions deployable, in `build/functions/`: `<slug>/` holds one with `_shared` beside its `main.py`, and
`container/` all of them with their server.

A function's folder runs alone under functions-framework and deploys to Cloud Run functions as it is; the container's
folder is what `docker build` and `gcloud run deploy --source` take.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

FUNCTIONS = Path(__file__).resolve().parent
BUILD = FUNCTIONS.parent / "build" / "functions"
CONTAINER = "container"
_SERVER = FUNCTIONS.parent / "deploy" / CONTAINER
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
    shutil.copyfile(FUNCTIONS / ".gcloudignore", target / ".gcloudignore")
    return target


def bundle_container(build: Path = BUILD) -> Path:
    """The finished folder of all functions: the server, `_shared` once, and each function's `main.py`."""
    target = build / CONTAINER
    if target.exists():
        shutil.rmtree(target)
    shutil.copytree(_SERVER, target, ignore=_LEFT_OUT)
    shutil.copytree(FUNCTIONS / "_shared", target / "_shared", ignore=_LEFT_OUT)
    shutil.copyfile(FUNCTIONS / ".gcloudignore", target / ".gcloudignore")
    shutil.copyfile(FUNCTIONS / "requirements" / "container.txt", target / "requirements.txt")
    for slug in slugs():
        folder = target / "functions" / slug
        folder.mkdir(parents=True)
        shutil.copyfile(FUNCTIONS / slug / "main.py", folder / "main.py")
    return target


def main(arguments: list[str]) -> None:
    if len(arguments) != 1:
        raise SystemExit(f"usage: python functions/bundle.py <slug>|{CONTAINER}\nslugs: {', '.join(slugs())}")
    slug = arguments[0]
    if slug == CONTAINER:
        folder = bundle_container()
        sys.stdout.write(f"{folder}\nbuild it: docker build -t teesmith-functions {folder}\n")
        return
    folder = bundle(slug)
    target = slug.replace("-", "_")
    sys.stdout.write(
        f"{folder}\nrun it: functions-framework --source {folder / 'main.py'} --target {target}\n"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
