"""The program of Deno, and the command by which it runs a function: what it may do, and which settings count.

The program is of the project's npm packages first, then on the PATH. Each look is afresh, so that a Deno which was
installed meanwhile serves the next call.

A function may reach the network, its variables, what describes the system, and read the project's functions; it may
write nothing and start no programs. Its variables are those of the platform, the project's secrets and its file of
variables, and nothing of the user's own environment but what Deno needs for itself.
"""

from __future__ import annotations

import base64
import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

HINT = "npm install --save-dev deno"
MISSING = f"Deno is not installed; install it in the project: {HINT}"


_BOOTSTRAP = Path(__file__).parent / "bootstrap.js"
_MEBIBYTE = 1024 * 1024
# Where Deno has its cache, and how it reaches registries.
_OF_DENO = (
    *("HOME", "USER", "TMPDIR", "LANG", "TZ", "DENO_DIR", "XDG_CACHE_HOME", "DENO_CERT", "DENO_TLS_CA_STORE"),
    *("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy", "SSL_CERT_FILE"),
    *("NPM_CONFIG_REGISTRY", "JSR_URL", "DENO_AUTH_TOKENS"),
)
_OF_THE_PLATFORM = "SUPABASE_"


class DenoMissing(Exception):
    """There is no Deno."""


def find_deno(root: Path, environ: Mapping[str, str]) -> str | None:
    """The program for the project at `root`.

    npm's own `deno` is a script that starts Node, which starts the program and hides its end from its parent. So the
    program is looked for in the package of this system.
    """
    packages = root / "node_modules"
    for program in sorted(packages.glob("@deno/*/deno")):
        if os.access(program, os.X_OK):
            return str(program)
    return shutil.which("deno", path=environ.get("PATH", os.defpath))


def warning_about_missing(slugs: list[str]) -> str:
    """Return what is said at start and in lists of functions that need it."""
    names = ", ".join(slugs)
    return f"{names}: TypeScript functions need Deno, which is not installed ({HINT})"


def deno_environment(environ: Mapping[str, str], own: set[str]) -> dict[str, str]:
    """Of a function's whole `environ` what Deno is given. `own`: the names that the project has set for functions."""
    chosen = {
        name: value
        for name, value in environ.items()
        if name in _OF_DENO or name in own or name.startswith(_OF_THE_PLATFORM)
    }
    return {
        **chosen,
        "NO_COLOR": "1",
        "DENO_NO_PACKAGE_JSON": "1",
        "DENO_NO_UPDATE_CHECK": "1",
        "DENO_NO_PROMPT": "1",
    }


def deno_command(
    program: str, folders: list[Path], config: Path | None, import_map: Mapping[str, Any], memory_bytes: int
) -> list[str]:
    """The command. `folders` may be read."""
    encoded = base64.b64encode(json.dumps(import_map).encode()).decode()
    # The host ends a function at its limit of memory; V8's own abort is for what grows faster than the host looks.
    heap = 2 * memory_bytes // _MEBIBYTE
    readable = ",".join(str(folder) for folder in (*folders, _BOOTSTRAP.parent))
    return [
        *(program, "run", "--no-prompt", "--quiet", "--no-check", "--no-lock", "--node-modules-dir=none"),
        *(f"--config={config}",) * (config is not None),
        *("--no-config",) * (config is None),
        f"--import-map=data:application/json;base64,{encoded}",
        *("--allow-net", "--allow-env", "--allow-sys", "--allow-import", f"--allow-read={readable}"),
        f"--v8-flags=--max-old-space-size={heap}",
        "-",
    ]


def main_module(entrypoint: Path) -> str:
    """Return what Deno runs, from its standard input.

    It imports the function statically: a module that is imported so, wherever it lies, needs no right to be read.
    """
    bootstrap, function = (json.dumps(path.resolve().as_uri()) for path in (_BOOTSTRAP, entrypoint))
    return f"import {{ loaded }} from {bootstrap};\nimport * as module from {function};\nloaded(module);\n"
