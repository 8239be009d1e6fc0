"""core.own_site: which requests come from a page of this machine."""

from __future__ import annotations

import pytest
from localbase.core.web.own_site import own_hosts, rejection_of

HOSTS = own_hosts({"LOCALBASE_HOSTS": "mail.test, Tunnel.example ,"})


@pytest.mark.parametrize(
    "host", ["mail.test", "tunnel.example:54324", "TUNNEL.example", "localhost.", "a.localhost"]
)
def test_names_of_the_setting_count_as_own(host: str) -> None:
    assert rejection_of({"host": host, "origin": f"http://{host}"}, HOSTS) == ""


@pytest.mark.parametrize(
    "host",
    [
        "",
        ".",
        "evil.example",
        "x.mail.test",
        "mail.test.evil.example",
        "localhost:80:80",
        "[::1",
        "a:b",
        "::1",
    ],
)
def test_other_names_are_rejected_with_the_setting_to_add_them(host: str) -> None:
    assert "LOCALBASE_HOSTS" in rejection_of({"host": host}, HOSTS)


def test_no_name_is_own_without_the_setting() -> None:
    assert own_hosts({}) == frozenset()
    assert "LOCALBASE_HOSTS" in rejection_of({"host": "mail.test"}, own_hosts({}))
