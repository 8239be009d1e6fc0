"""`realtime.subscription`: the record of who is subscribed to what, which checks filters and columns."""

from __future__ import annotations

import logging
import re
import uuid
from collections.abc import Iterable, Sequence

from psycopg import errors

from localbase.postgres.pipeline import ConnectionLost, PostgresError
from localbase.postgres.pool import Database, PoolExhausted
from localbase.postgres.transaction import Statement, TransactionContext
from localbase.realtime.changes.array_text import text_array
from localbase.realtime.changes.filters import Filter, inspected
from localbase.realtime.changes.model import ChangeRequest, SubscriptionRefused
from localbase.realtime.changes.visibility import Identity

_log = logging.getLogger("localbase.realtime")
# Rows of a crashed gateway mean nothing: none of these writes has to survive one.
# A regular expression is a client's, and is read here: the time for it is limited.
_CONTEXT = TransactionContext(None, settings=(("synchronous_commit", "off"), ("statement_timeout", "1s")))
_CANCELED = "57014"
_UNABLE = "Unable to subscribe to changes with given parameters. "


async def clear(database: Database) -> None:
    """Takes away what a gateway that ended abruptly has left."""
    await database.run(Statement("delete from realtime.subscription"), _CONTEXT)


async def register(
    database: Database,
    publication: str,
    request: ChangeRequest,
    filters: Sequence[Filter],
    identity: Identity,
) -> str:
    """Records a subscription to every published table that fits. Returns its id.

    Raises `SubscriptionRefused` with upstream's message: no such table is published, or a column, a value or an
    operator does not fit.
    """
    number = str(uuid.uuid4())
    params: list[bytes | None] = [
        publication.encode(),
        request.schema.encode(),
        (request.table or "*").encode(),
        number.encode(),
        identity.claims,
        identity.role.encode(),
        text_array(item.column.encode() for item in filters),
        text_array(item.operator.encode() for item in filters),
        text_array(item.value.encode() for item in filters),
        text_array(b"t" if item.negate else b"f" for item in filters),
        request.event.encode(),
        None if request.select is None else text_array(name.encode() for name in request.select),
    ]
    try:
        result = await database.run(Statement(_INSERT, params), _CONTEXT)
    except PostgresError as error:
        if error.sqlstate == _CANCELED and not any(item.is_pattern for item in filters):
            # Nothing of the request's takes long: the machine is busy, and another attempt may succeed.
            raise ConnectionLost("the subscription was not recorded in time") from error
        raise SubscriptionRefused(
            f"{_UNABLE}An exception happened so please check your connect parameters: "
            f"[{_shown(request, filters)}]. Exception: {_exception(error)}"
        ) from error
    if not result.rows:
        raise SubscriptionRefused(
            f"{_UNABLE}Please check Realtime is enabled for the given connect parameters: [{_shown(request, filters)}]"
        )
    return number


async def change_claims(database: Database, numbers: Iterable[str], identity: Identity) -> None:
    """Records that subscriptions go on under other claims. Raises `SubscriptionRefused` where those do not allow it."""
    params = [text_array(number.encode() for number in numbers), identity.claims, identity.role.encode()]
    try:
        await database.run(Statement(_UPDATE, params), _CONTEXT)
    except PostgresError as error:
        raise SubscriptionRefused(
            f"{_UNABLE}An exception happened so please check your connect parameters. Exception: {_exception(error)}"
        ) from error


async def remove(database: Database, numbers: Iterable[str]) -> None:
    """Deletes the records. What cannot be deleted now goes at the next start."""
    statement = Statement(
        "delete from realtime.subscription where subscription_id = any($1::uuid[])",
        (text_array(number.encode() for number in numbers),),
    )
    try:
        await database.run(statement, _CONTEXT)
    except (PostgresError, ConnectionLost, PoolExhausted) as error:
        _log.warning("subscriptions stay recorded: %r", error)


def _shown(request: ChangeRequest, filters: Sequence[Filter]) -> str:
    """The parameters as upstream's message shows them."""
    comparisons = ", ".join(
        f"{{{inspected(item.column)}, {inspected(item.operator)}, {inspected(item.value)}, {str(item.negate).lower()}}}"
        for item in filters
    )
    columns = "nil"
    if request.select is not None:
        columns = "[" + ", ".join(inspected(name) for name in request.select) + "]"
    return (
        f"event: {request.event}, schema: {request.schema}, table: {request.table or '*'}, "
        f"filters: [{comparisons}], select: {columns}"
    )


def _exception(error: PostgresError) -> str:
    """An error of the database as upstream's driver shows it."""
    try:
        name = re.sub(r"(?<!^)(?=[A-Z])", "_", errors.lookup(error.sqlstate).__name__).lower()
    except KeyError:
        name = "unknown"
    return f"ERROR {error.sqlstate} ({name}) {error.message}"


_INSERT = """
insert into realtime.subscription (subscription_id, entity, filters, claims, action_filter, selected_columns)
select
  $4::uuid,
  pg_catalog.format('%I.%I', schemaname, tablename)::regclass,
  array(
    select row(c, o::realtime.equality_op, v, n)::realtime.user_defined_filter
    from unnest($7::text[], $8::text[], $9::text[], $10::boolean[]) as f(c, o, v, n)
  ),
  $5::jsonb || jsonb_build_object('role', $6::text),
  $11::text,
  $12::text[]
from pg_catalog.pg_publication_tables
where pubname = $1 and $2::text in ('*', schemaname::text) and $3::text in ('*', tablename::text)
on conflict do nothing
returning id
"""
_UPDATE = """
update realtime.subscription set claims = $2::jsonb || jsonb_build_object('role', $3::text)
where subscription_id = any($1::uuid[])
"""
