"""Limits of mails and SMS: a pause for each address, known or not, and a number an hour for the whole project.

A second request in the pause is 429 for known and unknown addresses alike.
"""

from __future__ import annotations

import hashlib
from typing import Literal

from localbase.auth import errors
from localbase.auth.channels import EMAIL, PHONE, Channel
from localbase.auth.context import Context
from localbase.auth.sessions.sessions import moment
from localbase.core.auth_settings import Seconds
from localbase.postgres.service_pool import Cursor

Purpose = Literal["confirmation", "recovery", "email_change", "phone_change", "reauthentication"]


async def require_message(context: Context, channel: Channel, address: str, what: str) -> None:
    """Raises when no message may leave now, to whomever: call it before the transaction, and before any look-up.

    As with the official CLI, `[auth.rate_limit] email_sent` is for a mail server of the project's own. Numbers with a
    test code get no SMS, so they are free.
    """
    if channel is PHONE:
        if address not in context.auth.sms.test_otp and not await context.limits.take("sms_sent", ""):
            raise errors.AuthError(429, "over_sms_send_rate_limit", "SMS rate limit exceeded")
        return
    context.outbox.require_room(what)
    if context.auth.email.smtp.enabled and not await context.limits.take("email_sent", ""):
        raise errors.AuthError(429, "over_email_send_rate_limit", "email rate limit exceeded")


async def require_pause(
    context: Context, cursor: Cursor, channel: Channel, address: str, *purposes: Purpose
) -> None:
    """Begins the pause for messages of these purposes. Raises 429 while one of them lasts."""
    seconds = channel.settings(context).max_frequency
    left = await _seconds_left(context, cursor, address, purposes, seconds)
    if left is not None:
        raise errors.over_send_rate("email" if channel is EMAIL else "sms", left)


async def _seconds_left(
    context: Context, cursor: Cursor, address: str, purposes: tuple[Purpose, ...], pause: Seconds
) -> int | None:
    """None when a new pause has begun. Requests at once wait for each other here, until the first has committed."""
    now = context.clock()
    keys = sorted(hashlib.sha256(f"{purpose}:{address}".encode()).hexdigest() for purpose in purposes)
    await cursor.execute(
        """
        insert into _localbase.auth_pauses as pause (key, until)
        select key, %(until)s from unnest(%(keys)s::text[]) as key
        on conflict (key) do update set until = excluded.until where pause.until <= %(now)s
        returning key
        """,
        {"keys": keys, "now": moment(now), "until": moment(now + pause)},
    )
    if len(await cursor.fetchall()) == len(keys):
        await _forget(context, cursor)
        return None
    await cursor.execute(
        "select max(until) as until from _localbase.auth_pauses where key = any(%s) and until > %s",
        [keys, moment(now)],
    )
    row = await cursor.fetchone()
    return int(row["until"].timestamp() - now) + 1 if row and row["until"] else 1


async def _forget(context: Context, cursor: Cursor) -> None:
    """A few pauses that are over, more than a request can add: the table stays small."""
    await cursor.execute(
        """
        delete from _localbase.auth_pauses where key in (
          select key from _localbase.auth_pauses where until < %s limit 10 for update skip locked
        )
        """,
        [moment(context.clock() - 60)],
    )
