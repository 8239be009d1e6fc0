"""core.configuration and core.project: the official CLI's config.toml, its env() and its environment names."""

from __future__ import annotations

from pathlib import Path

import pytest
from localbase.core.configuration import parse_duration, parse_size, read_settings
from localbase.core.errors import UserError
from localbase.core.project import open_project, read_dotenv
from localbase.core.settings import Settings


def config(folder: Path, text: str) -> Path:
    path = folder / "config.toml"
    path.write_text(text)
    return path


def test_configuration_without_a_file_is_the_default(tmp_path: Path) -> None:
    assert read_settings(tmp_path / "config.toml", {}) == Settings()


def test_values_are_read_from_every_kind_of_table(tmp_path: Path) -> None:
    path = config(
        tmp_path,
        """
        project_id = "mine"
        [api]
        port = 1234
        schemas = ["app", "public"]
        [auth.email]
        enable_confirmations = true
        [auth.email.smtp]
        pass = "word"
        [auth.email.template.confirmation]
        subject = "Hello"
        [functions.greet]
        verify_jwt = false
        [storage.buckets.pictures]
        public = true
        [inbucket]
        port = 4321
        [studio]
        port = 1
        """,
    )
    settings = read_settings(path, {})
    assert settings.project_id == "mine"
    assert (settings.api.port, settings.api.schemas) == (1234, ("app", "public"))
    assert settings.auth.email.enable_confirmations is True
    assert settings.auth.email.smtp.password == "word"
    assert settings.auth.email.template["confirmation"].subject == "Hello"
    assert settings.functions["greet"].verify_jwt is False
    assert settings.storage.buckets["pictures"].public is True
    assert settings.local_smtp.port == 4321


def test_environment_overrides_the_file_by_the_clis_names(tmp_path: Path) -> None:
    path = config(tmp_path, "[api]\nport = 1\n[auth]\nsite_url = 'http://file'\n")
    environ = {
        "SUPABASE_API_PORT": "2",
        "SUPABASE_AUTH_SITE_URL": "http://env",
        "SUPABASE_AUTH_ENABLE_SIGNUP": "false",
        "SUPABASE_API_SCHEMAS": "a, b",
    }
    settings = read_settings(path, environ)
    assert (settings.api.port, settings.api.schemas) == (2, ("a", "b"))
    assert (settings.auth.site_url, settings.auth.enable_signup) == ("http://env", False)


@pytest.mark.parametrize(
    ("text", "environ", "enabled"),
    [
        ("", {}, (True, False)),
        ("[auth.email]\nenabled = false\n[auth.sms]\nenabled = true\n", {}, (False, True)),
        ("[auth.email]\nenable_signup = false\n[auth.sms]\nenable_signup = true\n", {}, (False, True)),
        ("[auth.email]\nenabled = true\nenable_signup = false\n", {}, (True, False)),
        ("", {"SUPABASE_AUTH_SMS_ENABLE_SIGNUP": "true"}, (True, True)),
        ("[auth.email]\nenable_signup = true\n", {"SUPABASE_AUTH_EMAIL_ENABLED": "false"}, (False, False)),
    ],
)
def test_sign_in_by_mail_and_phone_is_enabled_by_the_new_name_and_by_the_former(
    tmp_path: Path, text: str, environ: dict[str, str], enabled: tuple[bool, bool]
) -> None:
    auth = read_settings(config(tmp_path, text), environ).auth
    assert (auth.email.enabled, auth.sms.enabled) == enabled


def test_env_calls_read_the_environment_or_a_default(tmp_path: Path) -> None:
    path = config(
        tmp_path,
        "[auth]\nsite_url = 'env(SITE)'\njwt_secret = 'env(NOT_SET)'\n"
        "[edge_runtime.secrets]\nA = 'env(SITE)'\nB = 'env(NOT_SET)'\n",
    )
    settings = read_settings(path, {"SITE": "http://here"})
    assert settings.auth.site_url == "http://here"
    assert settings.auth.jwt_secret == Settings().auth.jwt_secret
    assert settings.edge_runtime.secrets == {"A": "http://here"}


def test_every_fault_is_reported_at_once(tmp_path: Path) -> None:
    path = config(tmp_path, "[api]\nport = 'x'\nschemas = 3\n[auth]\nenable_signup = 'maybe'\nsite_url = 4\n")
    with pytest.raises(UserError) as caught:
        read_settings(path, {})
    assert caught.value.message == (
        f"{path}:\n"
        "  api.port must be a port, 1 to 65535, not 'x'\n"
        "  api.schemas must be a list\n"
        "  auth.site_url must be text in quotes, not 4\n"
        "  auth.enable_signup must be true or false, not 'maybe'"
    )


def test_invalid_toml_file_is_named(tmp_path: Path) -> None:
    path = config(tmp_path, "[api\n")
    with pytest.raises(UserError, match=r"config\.toml is not valid TOML"):
        read_settings(path, {})


@pytest.mark.parametrize(("text", "seconds"), [("1s", 1), ("1h30m", 5400), ("500ms", 0.5), ("1.5s", 1.5)])
def test_durations_are_parsed(text: str, seconds: float) -> None:
    assert parse_duration(text) == seconds


@pytest.mark.parametrize("text", ["", "1", "s", "1 s", "-1s", "1d"])
def test_invalid_durations_are_rejected(text: str) -> None:
    with pytest.raises(ValueError, match="is not a duration"):
        parse_duration(text)


@pytest.mark.parametrize(
    ("text", "size"),
    [("50MiB", 52428800), ("10MB", 10_000_000), ("1024", 1024), ("2KiB", 2048), ("1 GB", 10**9)],
)
def test_sizes_are_parsed(text: str, size: int) -> None:
    assert parse_size(text) == size


def test_folder_without_supabase_is_no_project(tmp_path: Path) -> None:
    with pytest.raises(UserError) as caught:
        open_project(tmp_path, {})
    assert caught.value.message == f"There is no supabase/ folder in {tmp_path}."


def test_environment_overrides_dotenv_files(tmp_path: Path) -> None:
    (tmp_path / "supabase").mkdir()
    (tmp_path / "supabase" / ".env").write_text("A=1\nB=1\nC=1\n")
    (tmp_path / ".env").write_text("B=2\nC=2\n")
    project = open_project(tmp_path, {"C": "3"})
    assert {name: project.environ[name] for name in "ABC"} == {"A": "1", "B": "2", "C": "3"}


def test_dotenv_lines_are_parsed(tmp_path: Path) -> None:
    path = tmp_path / ".env"
    path.write_text("# comment\n\nexport A=1 # why\nB='two words # kept'\nC=\"x\"\nD=\nE=a=b\n")
    assert read_dotenv(path) == {"A": "1", "B": "two words # kept", "C": "x", "D": "", "E": "a=b"}


def test_invalid_dotenv_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / ".env"
    path.write_text("A=1\nnonsense\n")
    with pytest.raises(UserError, match=r"\.env, line 2 is not NAME=value"):
        read_dotenv(path)


def test_auth_settings_of_every_kind_are_read(tmp_path: Path) -> None:
    path = config(
        tmp_path,
        """
        [auth]
        password_requirements = "letters_digits"
        [auth.sessions]
        timebox = "24h"
        inactivity_timeout = "8h30m"
        [auth.mfa.totp]
        enroll_enabled = true
        [auth.sms.test_otp]
        4152127777 = "123456"
        [auth.hook.custom_access_token]
        enabled = true
        uri = "pg-functions://postgres/public/add_claims"
        """,
    )
    auth = read_settings(path, {}).auth
    assert auth.password_requirements == "letters_digits"
    assert [float(auth.sessions.timebox), float(auth.sessions.inactivity_timeout)] == [86400, 30600]
    assert (auth.mfa.totp.enroll_enabled, auth.mfa.totp.verify_enabled) == (True, False)
    assert auth.sms.test_otp == {"4152127777": "123456"}
    assert auth.hook.custom_access_token.uri == "pg-functions://postgres/public/add_claims"


def test_auth_settings_that_cannot_hold_are_rejected_by_name(tmp_path: Path) -> None:
    path = config(
        tmp_path,
        """
        [auth]
        passkey = true
        password_requirements = "long"
        single_sign_on = true
        [auth.sessions]
        timebox = "a day"
        [auth.captcha]
        enabled = true
        [auth.sms.twilio]
        enabled = true
        [auth.external.google]
        client = "me"
        [auth.hook.send_email]
        enabled = true
        uri = "mail"
        [auth.hook.send_sms]
        enabled = true
        uri = "https://hooks.example/sms"
        """,
    )
    with pytest.raises(UserError) as raised:
        read_settings(path, {})
    requirements = "'', 'letters_digits', 'lower_upper_letters_digits', 'lower_upper_letters_digits_symbols'"
    assert raised.value.message.split("\n  ")[1:] == [
        f"auth.password_requirements must be one of {requirements}, not 'long'",
        "auth.external.google.client is not a setting",
        "auth.sessions.timebox must be a duration such as 1s or 1h30m, not 'a day'",
        "auth.passkey must be a table, not True",
        "auth.single_sign_on is not a setting",
        "auth.captcha.enabled cannot be true here: captchas are checked by a service outside"
        " (SUPABASE_AUTH_CAPTCHA_ENABLED=false switches it off for this machine)",
        "auth.hook.send_email.uri must be pg-functions://postgres/<schema>/<function> or an address, not 'mail'",
        "auth.hook.send_sms.secrets must be v1,whsec_<base64>, several of them with | between",
    ]
    with pytest.raises(UserError) as raised:
        read_settings(path, {"SUPABASE_AUTH_CAPTCHA_ENABLED": "false"})
    assert "captcha" not in raised.value.message


def test_settings_that_are_done_in_another_way_here_are_named(tmp_path: Path) -> None:
    path = config(
        tmp_path,
        """
        [auth.sms.twilio]
        enabled = true
        [auth.web3.solana]
        enabled = true
        [auth.third_party.clerk]
        enabled = true
        domain = "example.clerk.accounts.dev"
        [auth.third_party.firebase]
        enabled = false
        """,
    )
    assert read_settings(path, {}).auth.differences() == [
        "auth.sms.twilio: SMS go to the mailbox",
        "auth.web3.solana: wallets cannot sign in here",
        "auth.third_party.clerk: its tokens are valid once JWT_JWKS has its keys",
    ]


@pytest.mark.parametrize("value", ["0", "-1", "65536", "1.5", "true", '"http"', '"٣"'])
@pytest.mark.parametrize(
    "name", ["api.port", "db.port", "studio.port", "local_smtp.port", "local_smtp.smtp_port"]
)
def test_number_that_is_no_port_is_named(tmp_path: Path, name: str, value: str) -> None:
    with pytest.raises(UserError, match=rf"{name} must be a port, 1 to 65535, not "):
        read_settings(config(tmp_path, f"{name} = {value}"), {})


def test_two_services_with_one_port_are_named(tmp_path: Path) -> None:
    path = config(tmp_path, "api.port = 4\ndb.port = 4\nlocal_smtp.smtp_port = 5\nstudio.port = 5")
    with pytest.raises(UserError) as raised:
        read_settings(path, {})
    assert raised.value.message.splitlines()[1:] == [
        "  api.port and db.port are both 4",
        "  studio.port and local_smtp.smtp_port are both 5",
    ]
    off = {"SUPABASE_STUDIO_ENABLED": "false", "SUPABASE_DB_PORT": "6"}
    assert read_settings(path, off).db.port == 6
