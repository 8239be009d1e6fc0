"""The options of a request by `http.curlopt_*` settings, in libcurl's terms.

See https://curl.se/libcurl/c/curl_easy_setopt.html.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote

from localbase.background.sending import new_client

if TYPE_CHECKING:
    import httpx

_MOST_REDIRECTS = 5
_TIMEOUT, _CONNECT_TIMEOUT = 5000, 1000
_VERIFY = ("CURLOPT_SSL_VERIFYPEER", "CURLOPT_SSL_VERIFYHOST")


@dataclass(frozen=True, slots=True)
class HttpOptions:
    """Times in milliseconds; `timeout` 0 is none of its own."""

    timeout: int = _TIMEOUT
    connect_timeout: int = _CONNECT_TIMEOUT
    agent: str = ""
    login: tuple[str, str] | None = None
    proxy: str = ""
    verify: bool = True
    keep_alive: bool = False

    @classmethod
    def parse(cls, values: dict[str, str], agent: str) -> HttpOptions:
        """The options by their names. Raises `ValueError`."""
        user, _, password = values.get("CURLOPT_USERPWD", "").partition(":")
        return cls(
            timeout=_milliseconds(values, "CURLOPT_TIMEOUT", _TIMEOUT),
            connect_timeout=_milliseconds(values, "CURLOPT_CONNECTTIMEOUT", _CONNECT_TIMEOUT),
            agent=values.get("CURLOPT_USERAGENT", agent),
            login=(user, password) if user else None,
            proxy=_proxy(values),
            verify=all(_number(values, name, 1) != 0 for name in _VERIFY),
            keep_alive="CURLOPT_TCP_KEEPALIVE" in values,
        )

    def seconds(self, longest: float) -> float:
        """For the whole request, also where it has no limit of its own."""
        return min(self.timeout / 1000 or longest, longest)

    def is_usual(self) -> bool:
        """Tell whether the client that requests share will do."""
        return (self.connect_timeout, self.proxy, self.verify) == (_CONNECT_TIMEOUT, "", True)

    def client(self) -> httpx.AsyncClient:
        """A client for such requests. To make it takes the system's certificates' time."""
        return new_client(
            connect_seconds=self.connect_timeout / 1000 or None,
            most_redirects=_MOST_REDIRECTS,
            proxy=self.proxy or None,
            verify=self.verify,
        )


def _milliseconds(values: dict[str, str], name: str, usual: int) -> int:
    return _number(values, f"{name}_MS", _number(values, name, -1) * 1000 if name in values else usual)


def _number(values: dict[str, str], name: str, usual: int) -> int:
    try:
        number = int(values.get(name, usual))
    except ValueError:
        number = -1
    if number < 0 and name in values:
        raise ValueError(f"invalid integer provided for 'http.{name.lower()}'")
    return number


def _proxy(values: dict[str, str]) -> str:
    host = values.get("CURLOPT_PROXY", "")
    if not host:
        return ""
    scheme, _, rest = host.rpartition("://")
    port = f":{_number(values, 'CURLOPT_PROXYPORT', 1080)}" if ":" not in rest else ""
    user = quote(values.get("CURLOPT_PROXYUSERNAME", ""), safe="")
    password = quote(values.get("CURLOPT_PROXYPASSWORD", ""), safe="")
    return f"{scheme or 'http'}://{f'{user}:{password}@' if user else ''}{rest}{port}"
