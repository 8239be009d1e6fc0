"""The operator's pre-config function: settings that a function sets rather than `alter role`.

Upstream: https://docs.postgrest.org/en/stable/references/configuration.html#db-pre-config
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable

from localbase.postgres.pipeline import PostgresError
from localbase.postgres.pool import Database
from localbase.postgres.schema_cache.cache import array_literal
from localbase.postgres.transaction import Statement, TransactionContext
from localbase.rest.sql.text import function_name

_log = logging.getLogger("localbase.rest")


async def settings_of_function(database: Database, function: str, names: Iterable[str]) -> dict[str, str]:
    """The `pgrst.*` settings after a call of the function. An error is logged, and sets nothing."""
    sql = (
        "select coalesce(pg_catalog.json_object_agg(name, pg_catalog.current_setting('pgrst.' || name, true)), '{}')"
        f" from unnest($1::text[]) name join {function_name(function)}() as preset on true"
    )
    try:
        result = await database.run(
            Statement(sql, (array_literal(list(names)),)), TransactionContext(None, read_only=True)
        )
    except PostgresError as error:
        _log.error("pgrst.db_pre_config: %s(): %s", function, error)
        return {}
    settings = json.loads(result.rows[0][0] or b"{}")
    return {name: value for name, value in settings.items() if value is not None}
