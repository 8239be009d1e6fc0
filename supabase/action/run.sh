#!/usr/bin/env bash
# The steps of ../action.yml. What a step hands on is printed; what people read goes to stderr.
set -euo pipefail
home="$HOME/.cache/localbase"
environment="$home/environment"

case "$1" in
    # What the environment is made of: localbase's own files, and the Python.
    key)
        "$PYTHON" - "$SOURCE" << 'END'
import hashlib, pathlib, platform, sys

source = pathlib.Path(sys.argv[1])
digest = hashlib.sha256(platform.python_version().encode())
for path in sorted([source / "pyproject.toml", *(source / "localbase").rglob("*")]):
    if path.is_file() and "__pycache__" not in path.parts:
        digest.update(f"{path.relative_to(source)}\n".encode() + path.read_bytes())
print(f"key={digest.hexdigest()[:32]}")
END
        ;;
    install)
        # The mark is written last: a cache of a run that broke off is no environment, nor one whose Python has moved.
        if [ ! -e "$environment/complete" ] || ! "$environment/bin/python" -c ''; then
            rm -rf "$environment"
            "$PYTHON" -m venv "$environment"
            "$environment/bin/python" -m pip --disable-pip-version-check install --quiet "$SOURCE" 1>&2
            touch "$environment/complete"
        fi
        echo "$environment/bin"
        ;;
    start)
        localbase start --workdir "$WORKDIR" 1>&2
        localbase status --workdir "$WORKDIR" -o env | while IFS='=' read -r name value; do
            name=$(echo "$name" | tr 'A-Z_' 'a-z-')
            echo "$name=${value//\"/}"
        done
        ;;
esac
