"""E-mail addresses on the wire: vendors and mail servers without SMTPUTF8 take ASCII alone (RFC 5890)."""

from __future__ import annotations

import idna


def ascii_email(address: str) -> str:
    """`ada@xn--bcher-kva.example` for `ada@bücher.example`; what is no internationalised domain stays as it is."""
    name, at, domain = address.rpartition("@")
    if domain.isascii():
        return address
    try:
        return f"{name}{at}{idna.encode(domain, uts46=True).decode()}"
    except idna.IDNAError:
        return address
