"""Header values on their way out: everyday ones are cached, a client's own are not."""

from __future__ import annotations

from localbase.core.web import http


def test_long_header_value_is_sent_and_not_cached() -> None:
    before = http._cached_wire.cache_info().currsize
    for number in range(10):
        value = f"x-{number}," * 400
        assert http.wire("Access-Control-Allow-Headers", value) == (
            b"access-control-allow-headers",
            value.encode(),
        )
    assert http._cached_wire.cache_info().currsize == before
