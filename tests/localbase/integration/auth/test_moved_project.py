"""A project that moves: pg_dump of one stack's auth rows, restored into the fresh stack of another project."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator

import pyotp
import pytest
from localbase.postgres.binaries import find_binaries

from tests.localbase.integration.auth.calls import claims_of, execute, failure, new_session, refresh, sign_in
from tests.localbase.integration.auth.own_service import MovableClock, own_service
from tests.localbase.integration.auth.webauthn.authenticator import verified_app, verify
from tests.localbase.integration.small_project import SmallProject
from tests.support.stacks import Stack, clean_environ, read_stack

_SETTINGS = {"SUPABASE_AUTH_MFA_TOTP_VERIFY_ENABLED": "true"}
# As psql runs a data-only dump whose tables refer to each other.
_WITHOUT_TRIGGERS = {"PGOPTIONS": "-c session_replication_role=replica"}


@pytest.fixture
def other(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """Another project's stack, without users."""
    with SmallProject(tmp_path_factory.mktemp("moved")) as project:
        project.start(**_SETTINGS)
        yield read_stack(project.root, clean_environ(_SETTINGS))


def move(source: Stack, target: Stack) -> None:
    """The rows, into the schema that is there already: its own list of migrations stays."""
    programs = find_binaries(clean_environ({}))
    dump = subprocess.run(
        [
            *(programs.path("pg_dump"), "--data-only", "--schema=auth"),
            *("--exclude-table=auth.schema_migrations", f"--dbname={source.admin_db_url}"),
        ],
        capture_output=True,
        check=False,
    )
    assert dump.returncode == 0, dump.stderr
    restored = subprocess.run(
        [programs.path("psql"), "-v", "ON_ERROR_STOP=1", "-q", target.admin_db_url],
        input=dump.stdout,
        env=clean_environ(_WITHOUT_TRIGGERS),
        capture_output=True,
        check=False,
    )
    assert restored.returncode == 0, restored.stderr


def test_users_of_a_moved_project_sign_in_with_password_and_totp(
    auth: Stack, other: Stack, email: str
) -> None:
    clock = MovableClock()
    with own_service(auth, clock) as stack:
        made = new_session(stack, email)
        factor_id, _, raised = verified_app(stack, clock, made)
    ((secret,),) = execute(auth, "select secret from auth.mfa_factors where id::text = %s", factor_id)
    move(auth, other)
    session = sign_in(other, email)
    assert (session["user"]["id"], claims_of(other, session)["aal"]) == (made["user"]["id"], "aal1")
    wrong = verify(other, session, factor_id, code="12345")
    assert failure(wrong) == (422, "mfa_verification_failed", "Invalid TOTP code entered")
    proven = verify(other, session, factor_id, code=pyotp.TOTP(str(secret)).now())
    assert claims_of(other, proven.json())["aal"] == "aal2"
    # The session from before the move goes on, and new users get ids and tokens of their own.
    renewed = refresh(other, raised["refresh_token"])
    assert (renewed.status_code, renewed.json()["user"]["id"]) == (200, made["user"]["id"])
    assert new_session(other, f"new-{email}")["user"]["id"] != made["user"]["id"]
