"""What PostgREST lets an operator choose, with its defaults as the official CLI runs it.

A project sets them as on Supabase, on the login role: `alter role authenticator set
pgrst.db_aggregates_enabled = …`. Upstream:
https://docs.postgrest.org/en/stable/references/configuration.html#in-database-configuration
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace

from localbase.core.settings import ApiSettings
from localbase.rest.role_path import RolePath, parse_role_path

_log = logging.getLogger("localbase.rest")
_TRUE = ("true", "on", "yes", "t", "y", "1")


@dataclass(frozen=True, slots=True)
class Options:
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
    # None stands for the claim `role`.
    jwt_role_claim_key: RolePath | None = None
    # A function's name as the operator wrote it, with or without its schema.
    pre_request: str | None = None

    @property
    def trusts_roles(self) -> bool:
        """Whether the token's own `role` is all that decides as whom a request runs."""
        return self.jwt_aud is None and self.jwt_role_claim_key is None


def options_of(api: ApiSettings) -> Options:
    """The options that `config.toml` gives. No maximum of rows is 0 there."""
    return Options(api.schemas, api.extra_search_path, api.max_rows or None)


def overruled(options: Options, settings: Mapping[str, str]) -> Options:
    """The options with the login role's `pgrst.*` settings on top."""
    changes: dict[str, object] = {}
    for name, value in settings.items():
        if name in ("db_aggregates_enabled", "db_plan_enabled"):
            changes[name[3:]] = value.lower() in _TRUE
        elif name == "db_schemas" or name == "db_extra_search_path":
            changes[name[3:]] = tuple(part.strip() for part in value.split(",") if part.strip())
        elif name == "db_max_rows":
            changes["max_rows"] = int(value) if value.isdigit() else None
        elif name == "db_anon_role":
            changes["anon_role"] = value
        elif name == "db_pre_request":
            changes["pre_request"] = value or None
        elif name == "jwt_aud":
            changes["jwt_aud"] = value or None
        elif name == "jwt_role_claim_key":
            changes["jwt_role_claim_key"] = _role_path(value)
        elif name in ("openapi_mode", "openapi_server_proxy_uri"):
            changes[name] = value
        elif name == "db_tx_end":
            changes["tx_allow_override"] = value.endswith("-allow-override")
            changes["tx_rollback_all"] = value.startswith("rollback")
    return replace(options, **changes) if changes else options  # type: ignore[arg-type]


def _role_path(text: str) -> RolePath | None:
    """What cannot be read leaves the default, and says so: nobody gets another role by a slip of the pen."""
    try:
        return parse_role_path(text) if text else None
    except ValueError as error:
        _log.error("pgrst.jwt_role_claim_key is not understood: %s", error)
        return None
