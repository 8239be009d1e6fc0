"""Addresses of a Postgres that the owner runs (`[db] external_url`), for each role, and without their password."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from urllib.parse import quote, urlencode

from localbase.core.errors import UserError

# The project's own, which is no superuser.
PROJECT_ROLE = "postgres"
_CONNECT_SECONDS = 10


@lru_cache(maxsize=8)
def parameters_of(address: str) -> Mapping[str, str]:
    """The address's parts as libpq reads them. Raises `UserError`, which shows nothing of the address."""
    # Imported where an address is read: most commands have none.
    import psycopg
    from psycopg.conninfo import conninfo_to_dict

    try:
        parameters = {
            name: str(value) for name, value in conninfo_to_dict(address).items() if value is not None
        }
    except psycopg.Error:
        raise UserError(
            "db.external_url is no address that Postgres's library understands.",
            "Signs such as # / @ : % in a password must be percent-encoded.",
        ) from None
    parameters.setdefault("host", "localhost")
    parameters.setdefault("port", "5432")
    parameters.setdefault("dbname", PROJECT_ROLE)
    parameters.setdefault("connect_timeout", str(_CONNECT_SECONDS))
    # A server or a link that has gone is noticed in half a minute, not in two hours.
    for name, value in (("keepalives_idle", "10"), ("keepalives_interval", "5"), ("keepalives_count", "3")):
        parameters.setdefault(name, value)
    return parameters


def url_of(address: str, role: str) -> str:
    """The address for `role`. All of it is in the query: any host, several, and a socket's folder fit there."""
    parameters = {**parameters_of(address), "user": role}
    name = quote(parameters.pop("dbname"), safe="")
    return f"postgresql:///{name}?{urlencode(parameters, quote_via=quote)}"


def shown(address: str) -> str:
    """The address without its password, as it is shown and as its owner types it (`name_of`)."""
    parameters = parameters_of(address)
    return f"postgresql://{PROJECT_ROLE}@{name_of(address)}" + (
        f"?sslmode={parameters['sslmode']}" if "sslmode" in parameters else ""
    )


def name_of(address: str) -> str:
    """Return what the database is called where its data is at stake: `host:port/name`."""
    parameters = parameters_of(address)
    hosts, ports = parameters["host"].split(","), parameters["port"].split(",")
    ports = ports if len(ports) == len(hosts) else ports * len(hosts)
    places = ",".join(f"{host}:{port}" for host, port in zip(hosts, ports, strict=True))
    return f"{places}/{parameters['dbname']}"
