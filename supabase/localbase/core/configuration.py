"""From TOML and environment to `Settings`: one generic reader over the dataclasses, all faults reported together."""

from __future__ import annotations

import os
import re
import tomllib
import typing
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any

from localbase.core.auth_settings import Seconds
from localbase.core.errors import UserError
from localbase.core.settings import Bytes, Port, Settings
from localbase.core.text_files import read_text

_ENV_CALL = re.compile(r"^env\((\w+)\)$")
_TRUE, _FALSE = {"true", "1", "t", "yes", "on"}, {"false", "0", "f", "no", "off"}
_DURATION = re.compile(r"(\d+(?:\.\d+)?)(h|ms|m|s)")
_UNIT_SECONDS = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}
_HIGHEST_PORT = 65535
_SIZE = re.compile(r"^(\d+)\s*([KMGT]?)(i?)B?$", re.IGNORECASE)


def read_settings(config: Path, environ: Mapping[str, str] = os.environ) -> Settings:
    """The settings in `config` (defaults if there is no such file). Raises `UserError` naming every bad value."""
    table: dict[str, Any] = {}
    if config.exists():
        try:
            table = tomllib.loads(read_text(config))
        except tomllib.TOMLDecodeError as error:
            raise UserError(f"{config} is not valid TOML: {error}", "Mend the line and try again.") from error
    if "inbucket" in table:
        table.setdefault("local_smtp", table["inbucket"])
    reader = _Reader(environ)
    settings = typing.cast(Settings, reader.read(Settings, table, ()))
    reader.faults += settings.auth.unsupported() + settings.storage.byte_store.faults()
    reader.faults += settings.api.faults() + settings.db.faults()
    reader.faults += settings.shared_ports()
    if reader.faults:
        raise UserError(f"{config}:\n  " + "\n  ".join(reader.faults), "Mend these settings and try again.")
    return settings


def parse_duration(text: str) -> float:
    """Go's duration (`1h30m`, `500ms`) in seconds."""
    parts = _DURATION.findall(text)
    if not parts or "".join(number + unit for number, unit in parts) != text:
        raise ValueError(f"{text!r} is not a duration such as 1s or 1h30m")
    return sum(float(number) * _UNIT_SECONDS[unit] for number, unit in parts)


def parse_size(text: str) -> int:
    """A size such as `50MiB` or `10MB` in bytes."""
    match = _SIZE.match(text.strip())
    if not match:
        raise ValueError(f"{text!r} is not a size such as 50MiB")
    base = 1024 if match[3] or not match[2] else 1000
    return int(match[1]) * int(base ** " KMGT".index(match[2].upper() or " "))


@cache
def _hints(kind: type[Any]) -> dict[str, Any]:
    """The types of a class's fields: to evaluate them takes half of the time in which settings are read."""
    return typing.get_type_hints(kind)


class _Reader:
    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ
        self.faults: list[str] = []

    def read(self, kind: type[Any], table: Mapping[str, Any], path: tuple[str, ...]) -> Any:
        hints = _hints(kind)  # type: ignore[arg-type] # a class is hashable
        values: dict[str, Any] = {}
        for item in fields(kind):
            name = item.metadata.get("toml", item.name)
            if self._has_former(item, table, path):
                name = item.metadata["former"]
            values[item.name] = self._field(hints[item.name], item, table.get(name, MISSING), (*path, name))
        if path[:1] == ("auth",):
            setting_names = {item.metadata.get("toml", item.name) for item in fields(kind)}
            setting_names |= {item.metadata["former"] for item in fields(kind) if "former" in item.metadata}
            self.faults += [
                f"{'.'.join((*path, name))} is not a setting" for name in sorted(set(table) - setting_names)
            ]
        return kind(**values)

    def _has_former(self, item: Field[Any], table: Mapping[str, Any], path: tuple[str, ...]) -> bool:
        """Tell whether only the setting's former name is given.

        The official command line reads it until its version 4.
        """
        former = item.metadata.get("former")
        return (
            former is not None
            and self._is_given(former, table, path)
            and not self._is_given(item.name, table, path)
        )

    def _is_given(self, name: str, table: Mapping[str, Any], path: tuple[str, ...]) -> bool:
        return name in table or "SUPABASE_" + "_".join((*path, name)).upper() in self._environ

    def _field(self, hint: Any, item: Field[Any], toml_value: Any, path: tuple[str, ...]) -> Any:
        if is_dataclass(hint):
            if toml_value is not MISSING and not isinstance(toml_value, dict):
                self.faults.append(f"{'.'.join(path)} must be a table, not {toml_value!r}")
            return self.read(
                typing.cast(type[Any], hint), toml_value if isinstance(toml_value, dict) else {}, path
            )
        default = item.default_factory() if item.default_factory is not MISSING else item.default
        if item.metadata.get("file_alone"):
            return self._of_file(default, toml_value, path)
        return self._value(hint, default, toml_value, path)

    def _of_file(self, default: Any, toml_value: Any, path: tuple[str, ...]) -> str:
        """A text that no variable overrules. One that the file names must be set."""
        call = _ENV_CALL.match(toml_value) if isinstance(toml_value, str) else None
        if call and not self._environ.get(call[1]):
            self.faults.append(f"{'.'.join(path)} names the variable {call[1]}, which is not set")
        elif toml_value is not MISSING and not isinstance(toml_value, str):
            self.faults.append(f"{'.'.join(path)} must be text in quotes")
        else:
            return self._environ[call[1]] if call else str(default if toml_value is MISSING else toml_value)
        return str(default)

    def _value(self, hint: Any, default: Any, toml_value: Any, path: tuple[str, ...]) -> Any:
        overrule = self._environ.get("SUPABASE_" + "_".join(path).upper())
        value = toml_value if overrule is None else overrule
        if isinstance(value, str) and (call := _ENV_CALL.match(value)):
            value = self._environ.get(call[1], MISSING)
        if value is MISSING:
            return default
        try:
            return self._convert(hint, value, path)
        except _Unfit as error:
            self.faults.append(f"{'.'.join(path)} {error}")
            return default

    def _convert(self, hint: Any, value: Any, path: tuple[str, ...]) -> Any:
        origin = typing.get_origin(hint)
        if origin is tuple:
            items = [part.strip() for part in value.split(",")] if isinstance(value, str) else value
            if not isinstance(items, list):
                raise _Unfit("must be a list")
            return tuple(str(part) for part in items)
        if origin is dict:
            return self._convert_table(typing.get_args(hint)[1], value, path)
        return _scalar(hint, value)

    def _convert_table(self, kind: Any, value: Any, path: tuple[str, ...]) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise _Unfit("must be a table")
        if is_dataclass(kind):
            entry = typing.cast(type[Any], kind)
            return {name: self.read(entry, part, (*path, name)) for name, part in value.items()}
        entries = {name: self._value(kind, None, part, (*path, name)) for name, part in value.items()}
        return {name: part for name, part in entries.items() if part is not None}


class _Unfit(Exception):
    """A value that a setting cannot take, in words that follow the setting's name."""


def _scalar(hint: Any, value: Any) -> Any:
    if hint is bool:
        if isinstance(value, bool):
            return value
        if str(value).lower() in _TRUE | _FALSE:
            return str(value).lower() in _TRUE
        raise _Unfit(f"must be true or false, not {value!r}")
    if typing.get_origin(hint) is typing.Literal:
        if value not in typing.get_args(hint):
            choices = ", ".join(repr(each) for each in typing.get_args(hint))
            raise _Unfit(f"must be one of {choices}, not {value!r}")
        return value
    if hint is Seconds:
        try:
            return parse_duration(str(value))
        except ValueError:
            raise _Unfit(f"must be a duration such as 1s or 1h30m, not {value!r}") from None
    if hint is Bytes:
        try:
            return parse_size(str(value))
        except ValueError as error:
            raise _Unfit(f"must be a size such as 512MiB, not {value!r}") from error
    if hint is int:
        if isinstance(value, bool) or not re.fullmatch(r"-?\d+", str(value)):
            raise _Unfit(f"must be a whole number, not {value!r}")
        return int(value)
    if hint is Port:
        if not re.fullmatch(r"[0-9]{1,5}", str(value)) or not 0 < int(value) <= _HIGHEST_PORT:
            raise _Unfit(f"must be a port, 1 to {_HIGHEST_PORT}, not {value!r}")
        return int(value)
    if not isinstance(value, str):
        raise _Unfit(f"must be text in quotes, not {value!r}")
    return value
