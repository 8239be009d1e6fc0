"""PostgREST's configuration in the login role's settings: what is parsed, and what is ignored."""

from __future__ import annotations

import base64
import json

import pytest
from joserfc import jwt as joserfc_jwt
from joserfc.jwk import RSAKey
from localbase.core.authenticator import Authenticator
from localbase.core.settings import ApiSettings, Settings
from localbase.core.tokens import jwt
from localbase.core.tokens.jwt import TokenError
from localbase.rest.config import Config, config_of, with_settings
from localbase.rest.tokens import authenticator_by

DEFAULTS = config_of(ApiSettings())
KEYS = Settings().keys
SECRET = "a secret of the API's own, long enough"


def changed(**settings: str) -> Config:
    return with_settings(DEFAULTS, settings)


@pytest.mark.parametrize(
    ("name", "value", "option", "expected"),
    [
        ("db_schemas", "a, b ,c d", "schemas", ("a", "b", "c d")),
        ("db_extra_search_path", "", "extra_search_path", ()),
        ("db_max_rows", "7", "max_rows", 7),
        ("db_max_rows", "", "max_rows", None),
        ("db_pre_request", "api.check", "pre_request", "api.check"),
        ("db_pre_request", "", "pre_request", None),
        ("db_hoisted_tx_settings", "work_mem, lock_timeout", "hoisted_tx_settings", ("work_mem", "lock_timeout")),
        ("db_aggregates_enabled", "TRUE", "aggregates_enabled", True),
        ("db_aggregates_enabled", '"true"', "aggregates_enabled", True),
        ("db_aggregates_enabled", "1", "aggregates_enabled", True),
        ("db_aggregates_enabled", "0", "aggregates_enabled", False),
        ("client_error_verbosity", "minimal", "client_error_verbosity", "minimal"),
        ("openapi_mode", "disabled", "openapi_mode", "disabled"),
        ("url_use_legacy_target_names", "false", "url_use_legacy_target_names", False),
        ("safeupdate.enabled", "on", "safe_update", True),
        ("safeupdate.enabled", "0", "safe_update", False),
    ],
)  # fmt: skip
def test_settings_are_parsed(name: str, value: str, option: str, expected: object) -> None:
    assert getattr(changed(**{name: value}), option) == expected


@pytest.mark.parametrize(
    ("value", "override", "rollback"),
    [
        ("commit", False, False),
        ("commit-allow-override", True, False),
        ("rollback", False, True),
        ("rollback-allow-override", True, True),
    ],
)
def test_transaction_end_is_configurable(value: str, override: bool, rollback: bool) -> None:
    config = changed(db_tx_end=value)
    assert (config.tx_allow_override, config.tx_rollback_all) == (override, rollback)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("db_schemas", "pg_catalog"),
        ("db_schemas", "public, information_schema"),
        ("db_schemas", " , "),
        ("db_max_rows", "many"),
        ("db_tx_end", "maybe"),
        ("openapi_mode", "open"),
        ("client_error_verbosity", "loud"),
        ("db_aggregates_enabled", "on"),
        ("jwt_role_claim_key", "role"),
        ("nobody_knows", "x"),
    ],
)
def test_invalid_settings_are_ignored(name: str, value: str) -> None:
    assert changed(**{name: value}) == DEFAULTS


def _accepts(token: str, **settings: str) -> bool:
    authenticator = authenticator_by(changed(**settings), Authenticator(KEYS, lambda: 1_800_000_000.0, {}))
    try:
        authenticator.resolve({"authorization": f"Bearer {token}"}, KEYS.publishable)
    except TokenError:
        return False
    return True


def test_jwt_secret_can_be_text_base64_or_a_key() -> None:
    ours, own = jwt.sign({"role": "anon"}, KEYS.jwt_secret), jwt.sign({"role": "anon"}, SECRET)
    assert (_accepts(ours), _accepts(own)) == (True, False)
    assert (_accepts(ours, jwt_secret=SECRET), _accepts(own, jwt_secret=SECRET)) == (False, True)
    encoded = base64.urlsafe_b64encode(SECRET.encode()).decode()
    assert _accepts(own, jwt_secret=encoded, jwt_secret_is_base64="true")
    key = RSAKey.generate_key(2048)
    by_key = joserfc_jwt.encode({"alg": "RS256"}, {"role": "anon"}, key, algorithms=["RS256"])
    single = json.dumps(key.as_dict(private=False))
    assert (_accepts(by_key, jwt_secret=single), _accepts(ours, jwt_secret=single)) == (True, False)


@pytest.mark.parametrize("secret", ["short", '{"kty": "odd"}'])
def test_invalid_jwt_secret_is_rejected(secret: str) -> None:
    with pytest.raises(ValueError, match=r"characters|JWKS|Key"):
        authenticator_by(changed(jwt_secret=secret), Authenticator(KEYS, lambda: 0.0, {}))
