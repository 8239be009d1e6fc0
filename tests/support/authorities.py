"""One authority whose certificates the tests' clients trust, in place of all that the system or certifi lists.

httpx reads that list for each client, and for each call without one: 25 ms of processor time, more than most calls of
the tests take. No test talks TLS to a server outside: the vendors are emulated.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, MutableMapping
from pathlib import Path

import certifi

_FILE = Path(__file__).resolve().parents[2] / ".localbase" / "one-authority.pem"
_NAME, _OWN = "SSL_CERT_FILE", "TESTS_OWN_SSL_CERT_FILE"
_END = "-----END CERTIFICATE-----\n"


def trust_one_authority(environ: MutableMapping[str, str]) -> None:
    """For this process and those that it starts, unless the tests go to a real project."""
    if "COMPAT_URL" in environ or environ.get(_NAME) == str(_FILE):
        return
    _FILE.parent.mkdir(exist_ok=True)
    first = Path(certifi.where()).read_text(encoding="utf-8").partition(_END)[0]
    partial = _FILE.with_suffix(f".{os.getpid()}")
    partial.write_text(first[first.index("-----BEGIN") :] + _END, encoding="utf-8")
    partial.replace(_FILE)
    environ.update({_OWN: environ.get(_NAME, ""), _NAME: str(_FILE)})


def trusting_all(environ: Mapping[str, str]) -> dict[str, str]:
    """The environment as it was, for a command that downloads something."""
    variables = dict(environ)
    own = variables.pop(_OWN, None)
    if own is not None:
        variables |= {_NAME: own}
    return {name: value for name, value in variables.items() if name != _NAME or value}
