"""support.authorities: the tests' clients trust one authority, and commands that download trust all."""

from __future__ import annotations

import os
import ssl

from tests.support.authorities import trust_one_authority, trusting_all


def test_clients_of_the_tests_trust_one_authority() -> None:
    context = ssl.create_default_context(cafile=os.environ["SSL_CERT_FILE"])
    assert len(context.get_ca_certs()) == 1


def test_downloading_command_trusts_what_the_developer_trusts() -> None:
    for before in ({}, {"SSL_CERT_FILE": "/the/company.pem"}):
        environ = dict(before)
        trust_one_authority(environ)
        changed = dict(environ)
        trust_one_authority(environ)
        assert environ == changed != before
        assert trusting_all(environ) == before


def test_real_project_is_reached_with_all_authorities() -> None:
    environ = {"COMPAT_URL": "https://project.example"}
    trust_one_authority(environ)
    assert environ == trusting_all(environ) == {"COMPAT_URL": "https://project.example"}
