"""Ports that a project's stack has in place of its own, because another stack had those.

A second worktree of a project has the same config.toml. Its stack's ports are chosen once (`cli/stack/ports.py`), lie
in `supabase/.localbase/<project>.ports.json`, and hold until that file goes. Ports that the environment names stay as
they are, and a port that config.toml names anew has not been moved.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

_T = TypeVar("_T")
_LOCAL = re.compile(
    r"((?:https?|wss?|postgres|postgresql)://(?:[^/@\s]*@)?(?:127\.0\.0\.1|localhost):)(\d{1,5})(?!\d)"
)
# The ports of localbase's own services, by the variables that name them explicitly.
SERVICE_PORTS = {
    "SUPABASE_API_PORT": ("api", "port"),
    "SUPABASE_DB_PORT": ("db", "port"),
    "SUPABASE_STUDIO_PORT": ("studio", "port"),
    "SUPABASE_LOCAL_SMTP_PORT": ("local_smtp", "port"),
    "SUPABASE_LOCAL_SMTP_SMTP_PORT": ("local_smtp", "smtp_port"),
}
SITE_URL = "SUPABASE_AUTH_SITE_URL"


@dataclass(frozen=True, slots=True)
class MovedPorts:
    """Each port of the project's own with the one in its place, and the variables that tell processes theirs."""

    ports: Mapping[int, int] = field(default_factory=dict)
    environ: Mapping[str, str] = field(default_factory=dict)

    def write(self, path: Path) -> None:
        """Stores them."""
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_name(f"{path.name}.partial")
        values = {"ports": {str(own): new for own, new in self.ports.items()}, "environ": dict(self.environ)}
        partial.write_text(json.dumps(values, indent=2) + "\n", encoding="utf-8")
        partial.replace(path)

    def besides(self, environ: Mapping[str, str]) -> MovedPorts:
        """Without those that the environment names itself."""
        named = {
            environ[name]
            for name in (*SERVICE_PORTS, *self.environ)
            if name in environ and environ[name] != self.environ.get(name)
        }
        if SITE_URL in environ:
            named.add(str(port_of(environ[SITE_URL])))
        return MovedPorts(
            {own: new for own, new in self.ports.items() if str(own) not in named},
            {name: value for name, value in self.environ.items() if name not in environ},
        )

    def in_environ(self, environ: Mapping[str, str]) -> dict[str, str]:
        """The environment with addresses of this machine at the ports of now, and the processes' variables."""
        return {name: self.in_text(value) for name, value in environ.items()} | dict(self.environ)

    def in_settings(self, settings: _T) -> _T:
        """Settings with every port, and every address of this machine, at the ports of now."""
        if not self.ports:
            return settings
        moved: _T = self._in_value(settings, "")
        return moved

    def in_text(self, text: str) -> str:
        """A text with the ports of now in its addresses of this machine."""
        return _LOCAL.sub(lambda match: match[1] + str(self.ports.get(int(match[2]), match[2])), text)

    def _in_value(self, value: Any, name: str) -> Any:
        if isinstance(value, bool):
            return value
        if isinstance(value, int):
            return self.ports.get(value, value) if name.endswith("port") else value
        if isinstance(value, str):
            return self.in_text(value)
        if isinstance(value, tuple):
            return tuple(self._in_value(each, "") for each in value)
        if isinstance(value, dict):
            return {key: self._in_value(each, "") for key, each in value.items()}
        if is_dataclass(value) and not isinstance(value, type):
            changes = {
                item.name: self._in_value(getattr(value, item.name), item.name) for item in fields(value)
            }
            return replace(value, **changes)
        return value


def moved_file(state: Path) -> Path:
    """Return where a project's moved ports lie: beside its state, which a reset throws away."""
    return state.with_name(f"{state.name}.ports.json")


def read_moved(path: Path) -> MovedPorts:
    """The stored ones; none where there is no such file, or one that is something else."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        ports = {int(own): int(new) for own, new in document["ports"].items()}
        environ = {str(name): str(value) for name, value in document["environ"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return MovedPorts()
    return MovedPorts(ports, environ) if all(0 < port < 65536 for port in ports.values()) else MovedPorts()


def port_of(address: str) -> int | None:
    """The port that an address names."""
    try:
        return urlsplit(address).port
    except ValueError:
        return None
