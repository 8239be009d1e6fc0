"""The configuration of PostgREST, with its defaults as the official CLI runs it.

A project sets them as on Supabase, on the login role: `alter role authenticator set
pgrst.db_aggregates_enabled = …`. Upstream:
https://docs.postgrest.org/en/stable/references/configuration.html#in-database-configuration
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from localbase.core.settings import ApiSettings
from localbase.rest.role_path import RolePath, parse_role_path

_log = logging.getLogger("localbase.rest")
_TX_ENDS = ("commit", "commit-allow-override", "rollback", "rollback-allow-override")
_OPENAPI_MODES = ("follow-privileges", "ignore-privileges", "disabled")


@dataclass(frozen=True, slots=True)
class Config:
    """The Data API's configuration. Names are upstream's, with `_` for `-`."""

    schemas: tuple[str, ...]
    extra_search_path: tuple[str, ...]
    max_rows: int | None
    anon_role: str = "anon"
    aggregates_enabled: bool = False
    plan_enabled: bool = False
    tx_allow_override: bool = False
    tx_rollback_all: bool = False
    openapi_mode: str = "follow-privileges"
    openapi_server_proxy_uri: str = ""
    jwt_aud: str | None = None
    # None means the claim `role`.
    jwt_role_claim_key: RolePath | None = None
    prepared_statements: bool = True
    # A function's name as the operator wrote it, with or without its schema.
    pre_request: str | None = None
    # A function that answers the root in place of the OpenAPI document.
    root_spec: str | None = None
    # Of a function's own `set` clauses, those that hold for its whole transaction.
    hoisted_tx_settings: tuple[str, ...] = (
        "statement_timeout",
        "plan_filter.statement_cost_limit",
        "default_transaction_isolation",
    )
    # Whether errors tell their details and hints.
    client_error_verbosity: str = "verbose"
    # Whether an embedding that has an alias may still be addressed by its relation's name.
    url_use_legacy_target_names: bool = True
    openapi_security_active: bool = False
    server_timing_enabled: bool = False
    # A request's header that its answer repeats.
    server_trace_header: str | None = None
    # What tokens are signed with, where it is not the project's own secret: a text, a key or a set of keys (JSON).
    # With an empty one no token can be judged.
    jwt_secret: str | None = None
    jwt_secret_is_base64: bool = False
    # Whether a change without any filter is refused (the hosted platform loads `safeupdate` for the login role).
    safe_update: bool = False

    @property
    def adds_headers(self) -> bool:
        """Tell whether answers have headers that belong to the single request."""
        return self.server_timing_enabled or self.server_trace_header is not None

    @property
    def trusts_roles(self) -> bool:
        """Tell whether the token's own `role` is all that decides as whom a request runs."""
        return self.jwt_aud is None and self.jwt_role_claim_key is None


def config_of(api: ApiSettings) -> Config:
    """The options that `config.toml` gives. No maximum of rows is 0 there."""
    return Config(api.schemas, api.extra_search_path, api.max_rows or None)


def with_settings(options: Config, settings: Mapping[str, str]) -> Config:
    """The options with the login role's settings on top. An unreadable setting is logged and ignored."""
    changes: dict[str, object] = {}
    for name, value in settings.items():
        field, read = _SETTINGS.get(name, (name, None))
        if read is None:
            continue
        try:
            changes[field] = read(value)
        except ValueError as error:
            _log.error("%s is not understood: %s", name if "." in name else f"pgrst.{name}", error)
    ends = changes.pop("tx_end", None)
    if isinstance(ends, str):
        changes["tx_allow_override"] = ends.endswith("-allow-override")
        changes["tx_rollback_all"] = ends.startswith("rollback")
    if not changes.get("schemas", True):
        del changes["schemas"]
    return replace(options, **changes)  # type: ignore[arg-type]


def setting_names() -> tuple[str, ...]:
    """PostgREST's settings that are understood, without their prefix `pgrst.`."""
    return tuple(name for name in _SETTINGS if "." not in name)


def _text(value: str) -> str | None:
    return value or None


def _list(value: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in value.split(",") if part.strip())


def _switch(value: str) -> bool:
    """`true` and `false` in any spelling; a number is true above 0."""
    letters = "".join(filter(str.isalpha, value)).lower()
    return letters == "true" if letters in ("true", "false") else int(value) > 0


def _boolean(value: str) -> bool:
    """As Postgres reads a setting of its own."""
    return value.lower() in ("on", "true", "yes", "1")


def _one_of(*choices: str) -> Callable[[str], str]:
    def read(value: str) -> str:
        if value not in choices:
            raise ValueError(f"{value!r} is none of {', '.join(choices)}")
        return value

    return read


def _schemas(value: str) -> tuple[str, ...]:
    names = _list(value)
    if {"pg_catalog", "information_schema"} & set(names):
        raise ValueError("system schemas are not exposed")
    return names


def _path(value: str) -> RolePath | None:
    """An unreadable value leaves the default: a typo cannot change roles."""
    return parse_role_path(value) if value else None


PRE_CONFIG = "db_pre_config"
"""The setting that names a function which sets others. Settings of the role itself overrule it."""

# By the setting's name: the option, and how its value reads.
_SETTINGS: Mapping[str, tuple[str, Callable[[str], object]]] = {
    "db_aggregates_enabled": ("aggregates_enabled", _switch),
    "db_plan_enabled": ("plan_enabled", _switch),
    "db_schemas": ("schemas", _schemas),
    "db_extra_search_path": ("extra_search_path", _list),
    "db_max_rows": ("max_rows", lambda value: int(value) if value else None),
    "db_anon_role": ("anon_role", str),
    "db_prepared_statements": ("prepared_statements", _switch),
    "db_pre_request": ("pre_request", _text),
    "db_root_spec": ("root_spec", _text),
    "db_tx_end": ("tx_end", _one_of(*_TX_ENDS)),
    "db_hoisted_tx_settings": ("hoisted_tx_settings", _list),
    "client_error_verbosity": ("client_error_verbosity", _one_of("verbose", "minimal")),
    "jwt_aud": ("jwt_aud", _text),
    "jwt_role_claim_key": ("jwt_role_claim_key", _path),
    "jwt_secret": ("jwt_secret", str),
    "jwt_secret_is_base64": ("jwt_secret_is_base64", _switch),
    "openapi_mode": ("openapi_mode", _one_of(*_OPENAPI_MODES)),
    "openapi_security_active": ("openapi_security_active", _switch),
    "openapi_server_proxy_uri": ("openapi_server_proxy_uri", str),
    "safeupdate.enabled": ("safe_update", _boolean),
    "server_timing_enabled": ("server_timing_enabled", _switch),
    "server_trace_header": ("server_trace_header", _text),
    "url_use_legacy_target_names": ("url_use_legacy_target_names", _switch),
}
