"""Rate limits of clients: token buckets for each limit and address, shared by all workers through one table.

Names and figures are upstream's (`internal/api/apilimiter`, `[auth.rate_limit]`). Upstream applies them only behind a
header that its operator names; here they always hold, for the peer's address, or for the first value of such a header.
"""

from __future__ import annotations

import hashlib
import ipaddress
import random
from dataclasses import dataclass
from typing import Literal

from starlette.requests import Request

from localbase.auth import errors
from localbase.core.auth_settings import RateLimits
from localbase.core.clock import Clock
from localbase.postgres.service_pool import ServicePool

Limit = Literal[
    "signup",
    "recover",
    "resend",
    "magiclink",
    "otp",
    "user",
    "verify",
    "token",
    "authorize",
    "anonymous",
    "passkey",
    "oauth_client",
    "email_sent",
    "sms_sent",
]
# Seconds.
_FIVE_MINUTES, _HOUR = 300, 3600
_BURST = 30
# One request in so many removes what is older than the longest interval.
_CLEANED = 500
# Wrong passwords before the first pause, which doubles with each further one; seconds.
_FREE_TRIES, _LONGEST_PAUSE = 5, 300

_TAKE = """
insert into _localbase.auth_rate_limits as bucket (name, key, tokens, at)
values (%(name)s, %(key)s, %(burst)s - 1, %(now)s)
on conflict (name, key) do update set at = %(now)s,
  tokens = least(%(burst)s, bucket.tokens + greatest(0, %(now)s - bucket.at) * %(rate)s) - 1
where least(%(burst)s, bucket.tokens + greatest(0, %(now)s - bucket.at) * %(rate)s) >= 1
returning tokens
"""
_FAIL = """
insert into _localbase.auth_wrong_passwords as row (key, failures, at) values (%(key)s, 1, %(now)s)
on conflict (key) do update set at = %(now)s,
  failures = case when row.at < %(now)s - %(forgotten)s then 1 else row.failures + 1 end
"""
_CLEAN = """
with old as (delete from _localbase.auth_rate_limits where at < %(old)s)
delete from _localbase.auth_wrong_passwords where at < %(old)s
"""


@dataclass(frozen=True, slots=True)
class Rate:
    """So many `events` in `seconds`, and at most `burst` at once."""

    events: int
    seconds: int
    burst: int


def rates_of(settings: RateLimits) -> dict[Limit, Rate]:
    """Every limit's rate. Passkeys and clients have upstream's own figures, which no setting names.

    Upstream has no limit for `authorize`: each call writes a row, so here it has that of tokens.

    Wrong codes of second factors are counted for their user (`factors`), not for an address.
    """
    sign_in = _in_five_minutes(settings.sign_in_sign_ups)
    return {
        "signup": sign_in,
        "recover": sign_in,
        "resend": sign_in,
        "magiclink": sign_in,
        "otp": sign_in,
        "user": sign_in,
        "verify": _in_five_minutes(settings.token_verifications),
        "token": _in_five_minutes(settings.token_refresh),
        "authorize": _in_five_minutes(settings.token_refresh),
        "anonymous": _in_an_hour(settings.anonymous_users),
        "passkey": _in_five_minutes(30),
        "oauth_client": _in_five_minutes(10),
        "email_sent": _in_an_hour(settings.email_sent),
        "sms_sent": _in_an_hour(settings.sms_sent),
    }


def _in_five_minutes(events: int) -> Rate:
    return Rate(events, _FIVE_MINUTES, min(_BURST, events))


def _in_an_hour(events: int) -> Rate:
    return Rate(events, _HOUR, events)


class Limits:
    """Counts calls. `header` is the request header with the client's address, where a proxy is in front."""

    def __init__(self, db: ServicePool, clock: Clock, settings: RateLimits, header: str = "") -> None:
        self._db = db
        self._clock = clock
        self._rates = rates_of(settings)
        self._header = header

    def address(self, request: Request) -> str:
        """The client's address; of IPv6 its network, which is what a subscriber has."""
        named = request.headers.get(self._header, "").partition(",")[0].strip() if self._header else ""
        client_host = named or (request.client.host if request.client else "")
        try:
            address = ipaddress.ip_address(client_host)
        except ValueError:
            return client_host[:64]
        if address.version == 4:
            return str(address)
        return str(ipaddress.ip_network((address, 64), strict=False).network_address)

    async def take(self, name: Limit, key: str) -> bool:
        """Counts one call of `key`; whether it is within the limit."""
        rate = self._rates[name]
        if rate.burst < 1:
            return False
        now = self._clock()
        values = {
            "name": name,
            "key": key,
            "burst": rate.burst,
            "rate": rate.events / rate.seconds,
            "now": now,
        }
        async with self._db.begin() as cursor:
            await cursor.execute(_TAKE.encode(), values)
            is_within = await cursor.fetchone() is not None
            if random.randrange(_CLEANED) == 0:
                await cursor.execute(_CLEAN.encode(), {"old": now - _HOUR})
        return is_within

    async def require(self, name: Limit, request: Request) -> None:
        """Counts one call of the client's address. Raises 429 beyond the limit."""
        if not await self.take(name, self.address(request)):
            raise errors.over_request_rate()

    async def require_password_pause(self, account: str, request: Request) -> None:
        """Raises 429 during the pause after several wrong passwords for `account` from this address.

        Other addresses are not concerned: a stranger cannot lock the account's owner out.
        """
        row = await self._db.one(
            "select failures, at from _localbase.auth_wrong_passwords where key = %s",
            [_password_key(account, self.address(request))],
        )
        if row is None or row["failures"] < _FREE_TRIES:
            return
        pause = min(_LONGEST_PAUSE, 2 ** (row["failures"] - _FREE_TRIES))
        if (left := row["at"] + pause - self._clock()) > 0:
            raise errors.over_request_rate(seconds=int(left) + 1)

    async def record_password(self, account: str, request: Request, *, is_right: bool) -> None:
        """Counts a wrong password, and forgets all of them after a right one."""
        key = _password_key(account, self.address(request))
        async with self._db.begin() as cursor:
            if is_right:
                await cursor.execute("delete from _localbase.auth_wrong_passwords where key = %s", [key])
            else:
                await cursor.execute(_FAIL.encode(), {"key": key, "now": self._clock(), "forgotten": _HOUR})


def _password_key(account: str, address: str) -> str:
    return hashlib.sha256(f"{account}\0{address}".encode()).hexdigest()
