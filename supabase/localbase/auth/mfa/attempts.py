"""Wrong codes of second factors, counted for each user over all of the user's factors and addresses.

15 a minute are upstream's (`GOTRUE_MFA_RATE_LIMIT_CHALLENGE_AND_VERIFY`); 100 an hour are ours: at any time three codes
of a million are good, and 900 tries an hour would find one with a probability of 0.3 %.
"""

from __future__ import annotations

from datetime import timedelta

from localbase.auth import errors
from localbase.auth.context import Context
from localbase.auth.sessions.sessions import moment
from localbase.auth.tables.rows import User
from localbase.postgres.service_pool import Cursor

_IN_MINUTE, _IN_HOUR = 15, 100
_MINUTE, _HOUR = timedelta(minutes=1), timedelta(hours=1)


async def require_left(context: Context, cursor: Cursor, user: User) -> None:
    """Raises 429 where too many codes were wrong. The caller holds the user's lock, so that no try goes uncounted."""
    now = moment(context.clock())
    await cursor.execute(
        """
        select from _localbase.factor_attempts
        where user_id = %s and (minute_from > %s and in_minute >= %s or hour_from > %s and in_hour >= %s)
        """,
        [user.id, now - _MINUTE, _IN_MINUTE, now - _HOUR, _IN_HOUR],
    )
    if await cursor.fetchone() is not None:
        raise errors.over_request_rate()


async def count_wrong(context: Context, cursor: Cursor, user: User) -> None:
    """Counts one. The caller commits it: the error is returned, not raised."""
    now = moment(context.clock())
    await cursor.execute(
        """
        insert into _localbase.factor_attempts as tries values (%(user)s, %(now)s, 1, %(now)s, 1)
        on conflict (user_id) do update set
          in_minute = case when tries.minute_from > %(minute)s then tries.in_minute + 1 else 1 end,
          minute_from = case when tries.minute_from > %(minute)s then tries.minute_from else %(now)s end,
          in_hour = case when tries.hour_from > %(hour)s then tries.in_hour + 1 else 1 end,
          hour_from = case when tries.hour_from > %(hour)s then tries.hour_from else %(now)s end
        """,
        {"user": user.id, "now": now, "minute": now - _MINUTE, "hour": now - _HOUR},
    )
