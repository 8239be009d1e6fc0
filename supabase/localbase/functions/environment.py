"""A function's environment: the stack's, and above it `supabase/functions/.env` or the file of `functions serve`.

As with the official CLI: the file overrules `[edge_runtime.secrets]`, and names that begin with `SUPABASE_` are the
platform's, so a file or a secret of such a name is left out, and that is said.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from localbase.core.project import Project, read_dotenv

_RESERVED = "SUPABASE_"
# The stack's own means, which a function has no use for.
_PRIVATE = ("LOCALBASE_FUNCTIONS_FD", "LOCALBASE_FUNCTIONS_PORT")


def platform_variables(project: Project) -> dict[str, str]:
    """The newer names of the platform's keys, each as JSON."""
    keys = project.settings.keys
    return {
        "SUPABASE_PUBLISHABLE_KEYS": json.dumps({"default": keys.publishable}),
        "SUPABASE_SECRET_KEYS": json.dumps({"default": keys.secret}),
        "SUPABASE_JWKS": json.dumps(project.signing.published()),
    }


def reserved_names(names: Mapping[str, str]) -> list[str]:
    """Those that a project cannot set."""
    return sorted(name for name in names if name.startswith(_RESERVED))


def warning_about(name: str) -> str:
    """The official CLI's words."""
    return f"Env name cannot start with SUPABASE_, skipping: {name}"


def env_file(functions: Path, override: Path | None) -> Path:
    """The file that counts: the one given to `functions serve`, or the project's own."""
    return override or functions / ".env"


def function_environment(stack: Mapping[str, str], file: Path) -> tuple[dict[str, str], list[str]]:
    """The variables, and warnings about what was left out. Raises `UserError` for a file that cannot be read."""
    own = read_dotenv(file)
    reserved = reserved_names(own)
    environ = {name: value for name, value in stack.items() if name not in _PRIVATE}
    environ |= {name: value for name, value in own.items() if name not in reserved}
    return environ, [warning_about(name) for name in reserved]
