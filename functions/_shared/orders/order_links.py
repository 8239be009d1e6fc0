"""The way from a mail to its order: its numbers, and the signed address of its page.

Who has the address sees the order's status without signing in.

The token is base64url of format (1 byte), order id (16), link version (2) and an HMAC-SHA256 of these 19 bytes (32): 68
characters. It stands in the address's fragment, which browsers never send. docs/decisions/0042 has the reasons.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import re
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

_FORMAT = 1
_PAYLOAD = struct.Struct(">B16sH")
_PURPOSE = b"teesmith order link"
_TOKEN = re.compile(r"[A-Za-z0-9_-]{68}")


def number_of(order_id: str) -> str:
    """The number of an order in mails and lists."""
    return f"#{order_id[-6:].upper()}"


def account_number_of(order_id: str) -> str:
    """The number on the order's page in the account, longer by two."""
    return f"#{order_id[-8:].upper()}"


@dataclass(frozen=True)
class OrderLink:
    """A token's content. `version` is the order's `link_version` when it was made."""

    order_id: str
    version: int


class OrderLinks:
    """Signs with the first secret and accepts all, so that a secret can be replaced while old e-mails stay valid."""

    def __init__(self, secrets: Sequence[str], site_url: str) -> None:
        self._keys = tuple(_key(secret) for secret in secrets if secret)
        if not self._keys:
            raise ValueError("an order's address needs a secret")
        self._site_url = site_url

    def address(self, link: OrderLink) -> str:
        """The page's address."""
        return f"{self._site_url}/track#{self.token(link)}"

    def token(self, link: OrderLink) -> str:
        payload = _PAYLOAD.pack(_FORMAT, UUID(link.order_id).bytes, link.version)
        return base64.urlsafe_b64encode(payload + _mac(self._keys[0], payload)).decode()

    def verify(self, token: str) -> OrderLink | None:
        """Return what the token names; None when no secret of ours has signed it."""
        if not _TOKEN.fullmatch(token):
            return None
        try:
            signed = base64.urlsafe_b64decode(token)
        except binascii.Error:
            return None
        payload, mac = signed[: _PAYLOAD.size], signed[_PAYLOAD.size :]
        # every key is tried, so that the time does not depend on which one fits
        valid = [hmac.compare_digest(mac, _mac(key, payload)) for key in self._keys]
        number, order_id, version = _PAYLOAD.unpack(payload)
        if not any(valid) or number != _FORMAT:
            return None
        return OrderLink(str(UUID(bytes=order_id)), version)


def _mac(key: bytes, payload: bytes) -> bytes:
    return hmac.digest(key, payload, hashlib.sha256)


def _key(secret: str) -> bytes:
    """HKDF-SHA256 (RFC 5869) with one block: a key for this purpose alone, whatever else the secret is for."""
    extracted = hmac.digest(bytes(32), secret.encode(), hashlib.sha256)
    return hmac.digest(extracted, _PURPOSE + b"\x01", hashlib.sha256)
