"""Repeated calls with an Idempotency-Key: the same answer for a day (draft-ietf-httpapi-idempotency-key-header).

sql/migrations/…_idempotency.sql stores and decides; docs/decisions/0064 has the reasons. The database sees neither the
key nor the answer: digests are keyed by a secret of the functions, and answers are encrypted by a key made of both.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, get_args
from uuid import UUID

from _shared.core.callers import Caller
from _shared.core.data import Data, Row
from _shared.core.errors import ShopError
from _shared.core.logs import log_trouble
from _shared.core.outcomes import one_of

# A structured field's string (RFC 9651) without escapes; the bare form is what many clients send.
_KEY = re.compile(r'"([ !#-\[\]-~]{1,255})"|([A-Za-z0-9._~:/+=-]{1,255})')
_PURPOSE = b"teesmith idempotency"
_NONCE = 12

# Of one person; and of all who have not signed in together, whose functions change nothing.
MOST_CALLS = 1000
# Larger answers are pictures: their job has them.
LARGEST_ANSWER = 16 * 1024
# Seconds between the repetitions of a call that is being worked on.
_PAUSE = 2

# Refusals with a 4xx that time may change. All others are final: the same call gets them again.
_PASSING_STATUSES = frozenset({401, 408, 425, 429})
PASSING_CODES = frozenset(
    {
        "design_not_ready",
        "design_taken_down",
        "last_admin",
        "order_held",
        "order_not_paid",
        "order_not_shipped",
        "orders_not_sent",
        "payment_disputed",
        "payment_not_completed",
        "payment_processing",
        "side_unavailable",
    }
)

Outcome = Literal["begun", "answered", "running", "other_content"]
_OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)


@dataclass(frozen=True)
class Call:
    """A call with a key. `id`, `holder` and `content` are digests; `secret` encrypts the answer and is not stored."""

    id: bytes
    holder: bytes
    content: bytes
    secret: bytes

    @property
    def uuid(self) -> UUID:
        """The same for every repetition: what is made under it is made once."""
        return UUID(bytes=self.id[:16], version=4)


def key_in(header: str | None) -> str | None:
    """The key of a request, None without one. 400 for a header that is none."""
    if header is None:
        return None
    match = _KEY.fullmatch(header.strip())
    if not match:
        raise ShopError(
            400,
            "invalid_idempotency_key",
            'The header Idempotency-Key must be one text of at most 255 characters, such as "8e03978e-40d5-43dd".',
        )
    return match[1] or match[2]


class Idempotency:
    """Does the work of a call once, and gives its answer again."""

    def __init__(self, data: Data, secret: str) -> None:
        self._data = data
        self._root = hmac.digest(secret.encode(), _PURPOSE, hashlib.sha256)

    def call(self, function: str, caller: Caller, key: str, body: bytes) -> Call:
        """The call of a function, named by who calls it and with which key."""
        who = caller.id or ("service" if caller.is_service else f"at {caller.address}")
        secret = self._digest("answer", function, who, key)
        return Call(
            id=self._digest("call", function, who, key),
            holder=self._digest("holder", caller.id or ("service" if caller.is_service else "visitors")),
            content=hmac.digest(secret, body, hashlib.sha256),
            secret=secret,
        )

    def once(
        self, call: Call, work: Callable[[], Mapping[str, object]], lease_seconds: int
    ) -> Mapping[str, object]:
        """The work's result; of a repetition, the one that was stored. A final refusal is raised again.

        422 for a key that came with another content, 409 with `retry_at` while the first call is worked on. The lease
        is how long the work takes at most: after that a repetition does it again.
        """
        row = self._begin(call, lease_seconds)
        outcome = one_of(_OUTCOMES, row["outcome"])
        if outcome == "answered":
            return _opened(call, row["answer"])
        if outcome == "other_content":
            raise ShopError(
                422, "idempotency_key_reused", "This Idempotency-Key was sent before with another content."
            )
        if outcome == "running":
            raise _running(datetime.fromisoformat(row["free_at"]))
        lease = str(row["lease"])
        try:
            result = work()
        except BaseException as error:
            self._finish(call, lease, _refusal(error))
            raise
        self._finish(call, lease, {"result": result})
        return result

    def forget(self) -> int:
        """Removes the calls that are older than a day; how many."""
        return int(str(self._data.value("forget_calls", {})))

    def _begin(self, call: Call, lease_seconds: int) -> Row:
        (row,) = self._data.call(
            "begin_call",
            {
                "call": _hex(call.id),
                "holder": _hex(call.holder),
                "content": _hex(call.content),
                "lease_seconds": lease_seconds,
                "most": MOST_CALLS,
            },
        )
        return row

    def _finish(self, call: Call, lease: str, answer: Mapping[str, object] | None) -> None:
        """Without an answer, or with one that is too large, the call may be repeated at once."""
        text = json.dumps(answer).encode() if answer else b""
        sealed = _hex(_sealed(call, text)) if 0 < len(text) <= LARGEST_ANSWER else None
        try:
            self._data.value("finish_call", {"call": _hex(call.id), "lease": lease, "answer": sealed})
        except ShopError as problem:
            # The caller gets the answer all the same; a repetition does the work again once the lease has ended.
            log_trouble("finish_call", problem.cause)

    def _digest(self, *parts: str) -> bytes:
        return hmac.digest(self._root, json.dumps(parts).encode(), hashlib.sha256)


def _refusal(error: BaseException) -> Mapping[str, object] | None:
    """A final refusal as it is stored; None for what must be tried again."""
    if not isinstance(error, ShopError) or not 400 <= error.status < 500:
        return None
    if error.status in _PASSING_STATUSES or error.code in PASSING_CODES or error.retry_at is not None:
        return None
    return {"status": error.status, "code": error.code, "error": error.error}


def _running(free_at: datetime) -> ShopError:
    return ShopError(
        409,
        "call_in_progress",
        "This is being worked on. Please wait a moment.",
        retry_at=min(free_at, datetime.now(UTC) + timedelta(seconds=_PAUSE)),
    )


def _sealed(call: Call, text: bytes) -> bytes:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # only calls with a key need it

    nonce = os.urandom(_NONCE)
    return nonce + AESGCM(call.secret).encrypt(nonce, text, call.content)


def _opened(call: Call, answer: str) -> Mapping[str, object]:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    sealed = bytes.fromhex(answer.removeprefix("\\x"))
    text = AESGCM(call.secret).decrypt(sealed[:_NONCE], sealed[_NONCE:], call.content)
    stored: dict[str, Any] = json.loads(text)
    if "result" in stored:
        result: Mapping[str, object] = stored["result"]
        return result
    raise ShopError(stored["status"], stored["code"], stored["error"])


def _hex(octets: bytes) -> str:
    """As Postgres reads `bytea`."""
    return f"\\x{octets.hex()}"
