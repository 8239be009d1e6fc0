"""`deploy signing`: steps in any order; none claims what did not happen, and no secret in use gets lost."""

from __future__ import annotations

import argparse
import base64
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from deploy.commands import signing
from deploy.environment import read_environ
from deploy.errors import CommandError
from deploy.secret_file import store_secret

SECRET = "SUPABASE_AUTH_JWT_SECRET"
OLD = "the secret of before, long enough to sign"
Step = Callable[..., str]


@pytest.fixture
def env_file(tmp_path: Path) -> Path:
    file = tmp_path / ".env"
    file.write_text(f"{SECRET}={OLD}\n", encoding="utf-8")
    return file


@pytest.fixture
def step(env_file: Path, capsys: pytest.CaptureFixture[str]) -> Step:
    """Runs one step; what it says."""
    parser = argparse.ArgumentParser()
    signing.add_arguments(parser)

    def run(*arguments: str, **environ: str) -> str:
        files = ("--env-file", str(env_file), "--keys-file", str(env_file.with_name("signing_keys.json")))
        assert (
            signing.run(parser.parse_args([*files, *arguments]), {**read_environ({}, env_file), **environ})
            == 0
        )
        return capsys.readouterr().out

    return run


def secrets_of_before(env_file: Path) -> list[str]:
    """Those that still verify."""
    named = read_environ({}, env_file).get("JWT_JWKS")
    keys = json.loads(Path(named).read_text(encoding="utf-8")) if named else []
    return [base64.urlsafe_b64decode(key["k"] + "==").decode() for key in keys]


def test_secrets_of_all_rotations_verify_until_the_finish(step: Step, env_file: Path) -> None:
    step("jwt-secret")
    second = read_environ({}, env_file)[SECRET]
    assert secrets_of_before(env_file) == [OLD]
    step("jwt-secret")
    assert secrets_of_before(env_file) == [second, OLD]
    assert "are refused once the services are started anew" in step("jwt-secret", "--finish")
    assert secrets_of_before(env_file) == []
    with pytest.raises(CommandError, match="nothing to finish"):
        step("jwt-secret", "--finish")


def test_finish_without_a_rotation_says_that_nothing_happened(step: Step, env_file: Path) -> None:
    env_file.write_text("", encoding="utf-8")
    with pytest.raises(CommandError, match="to the secret that signs now"):
        step("jwt-secret")
    for what in ("jwt-secret", "signing-key"):
        with pytest.raises(CommandError, match=r"nothing to finish: .* No new one was made"):
            step(what, "--finish")
    step("signing-key")
    with pytest.raises(CommandError, match="no key of before"):
        step("signing-key", "--finish")
    assert secrets_of_before(env_file) == []


def test_rotation_that_was_killed_midway_is_run_again_before_it_is_finished(
    step: Step, env_file: Path
) -> None:
    step("jwt-secret")
    store_secret(env_file, SECRET, OLD)  # the last that the step writes was not written
    with pytest.raises(CommandError, match=r"stopped midway\. Run it again"):
        step("jwt-secret", "--finish")
    step("jwt-secret")
    assert secrets_of_before(env_file) == [OLD]
    step("jwt-secret", "--finish")
    assert read_environ({}, env_file)[SECRET] != OLD


def test_nothing_changes_where_the_file_is_not_what_runs(step: Step, env_file: Path) -> None:
    with pytest.raises(CommandError, match="another one here than in"):
        step("jwt-secret", **{SECRET: "of a shell that read the file before"})
    keys = env_file.read_text(encoding="utf-8")
    env_file.write_text(f"{keys}JWT_JWKS=/etc/keys-of-a-partner.json\n", encoding="utf-8")
    with pytest.raises(CommandError, match="keys of others"):
        step("jwt-secret")
    env_file.write_text(f"{keys}SUPABASE_AUTH_SIGNING_KEYS_PATH=/etc/other.json\n", encoding="utf-8")
    for finish in ((), ("--finish",)):
        with pytest.raises(CommandError, match=r"The services read /etc/other\.json"):
            step("signing-key", *finish)
    assert not env_file.with_name("jwks-before.json").exists()
