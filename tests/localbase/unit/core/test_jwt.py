"""core.jwt against RFC 7519 and against joserfc, an independent implementation."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from pathlib import Path

import pytest
from joserfc import jws as joserfc_jws
from joserfc import jwt as joserfc_jwt
from joserfc.jwk import ECKey, OctKey, RSAKey
from localbase.core.auth_settings import AuthSettings
from localbase.core.errors import UserError
from localbase.core.tokens import jwt
from localbase.core.tokens.jwks import Jwks, jwks_from

SECRET = "a secret of more than thirty-two characters"
NOW = 1_800_000_000.0


def encoded(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


def test_signed_token_verifies_and_gives_its_claims() -> None:
    claims = {"sub": "someone", "role": "authenticated", "exp": NOW + 60}
    assert jwt.verify(jwt.sign(claims, SECRET), SECRET, NOW) == claims


def test_tokens_are_compatible_with_an_independent_implementation() -> None:
    key = OctKey.import_key(SECRET)
    claims = {"sub": "someone", "n": 1}
    assert joserfc_jwt.decode(jwt.sign(claims, SECRET), key).claims == claims
    assert jwt.verify(joserfc_jwt.encode({"alg": "HS256"}, claims, key), SECRET, NOW) == claims


@pytest.mark.parametrize(
    ("key", "role"),
    [
        # of the official CLI: published
        (
            "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJzdXBhYmFzZS1kZW1vIiwicm9sZSI6ImFub24iLCJleHAiOjE5ODM4MTI5"
            "OTZ9.CRXP1A7WOeoJeXxjNni43kdQwgnWNReilDMblYTn_I0",
            "anon",
        ),
        (
            "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJzdXBhYmFzZS1kZW1vIiwicm9sZSI6InNlcnZpY2Vfcm9sZSIsImV4cCI6"
            "MTk4MzgxMjk5Nn0.EGIM96RAZx35lJzdJsyH-qQwv8Hdp7fsn3W0YpN81IU",
            "service_role",
        ),
    ],
)
def test_keys_of_the_official_cli_verify_with_its_secret(key: str, role: str) -> None:
    settings = AuthSettings()
    assert jwt.verify(key, settings.jwt_secret, NOW)["role"] == role
    assert getattr(settings, f"{role}_key") == key


@pytest.mark.parametrize(
    ("token", "kind"),
    [
        ("", "malformed"),
        ("a.b", "malformed"),
        ("a.b.c", "malformed"),
        ("é.b.c", "malformed"),
        (f"{encoded({'alg': 'none'})}.{encoded({'sub': 'x'})}.", "algorithm"),
        (f"{encoded({'alg': 'RS256'})}.{encoded({'sub': 'x'})}.abcd", "signature"),
        (f"{encoded({'alg': 'HS999'})}.{encoded({'sub': 'x'})}.abcd", "malformed"),
        (f"{encoded({'alg': 'HS256'})}.{encoded({'sub': 'x'})}.abcd", "signature"),
        (f"{encoded([1])}.{encoded({'sub': 'x'})}.abcd", "malformed"),
    ],
)
def test_bad_token_is_rejected(token: str, kind: str) -> None:
    with pytest.raises(jwt.TokenError) as caught:
        jwt.verify(token, SECRET, NOW)
    assert caught.value.kind == kind


def test_token_signed_with_another_secret_is_rejected() -> None:
    with pytest.raises(jwt.TokenError) as caught:
        jwt.verify(jwt.sign({"sub": "x"}, "another secret"), SECRET, NOW)
    assert caught.value.kind == "signature"


@pytest.mark.parametrize(
    ("claims", "kind"),
    [
        ({"exp": NOW - 31}, "expired"),
        ({"nbf": NOW + 31}, "not_yet"),
        ({"iat": NOW + 31}, "not_yet"),
        ({"exp": "soon"}, "claims"),
        ({"exp": True}, "claims"),
    ],
)
def test_expiry_and_not_before_are_checked(claims: dict[str, object], kind: str) -> None:
    with pytest.raises(jwt.TokenError) as caught:
        jwt.verify(jwt.sign(claims, SECRET), SECRET, NOW)
    assert caught.value.kind == kind


def test_clock_skew_of_half_a_minute_is_accepted() -> None:
    claims = {"exp": NOW - 29, "nbf": NOW + 29, "iat": NOW + 29}
    assert jwt.verify(jwt.sign(claims, SECRET), SECRET, NOW) == claims


RSA = RSAKey.generate_key(2048, {"kid": "rsa", "alg": "RS256"})
EC = ECKey.generate_key("P-256", {"kid": "ec"})
KEYS = Jwks({"keys": [RSA.as_dict(private=False), EC.as_dict(private=False)]})


def signed_by(key: RSAKey | ECKey, algorithm: str, **header: str) -> str:
    return joserfc_jwt.encode({"alg": algorithm, **header}, {"sub": "x"}, key, algorithms=[algorithm])


@pytest.mark.parametrize(("key", "algorithm", "kid"), [(RSA, "RS256", "rsa"), (EC, "ES256", "ec")])
def test_token_is_verified_by_a_key_of_the_set(key: RSAKey | ECKey, algorithm: str, kid: str) -> None:
    assert jwt.verify(signed_by(key, algorithm, kid=kid), SECRET, NOW, KEYS) == {"sub": "x"}
    assert jwt.verify(signed_by(key, algorithm), SECRET, NOW, KEYS) == {"sub": "x"}


def test_secret_is_valid_beside_a_key_set() -> None:
    assert jwt.verify(jwt.sign({"sub": "x"}, SECRET), SECRET, NOW, KEYS) == {"sub": "x"}


@pytest.mark.parametrize(
    "token",
    [
        signed_by(RSAKey.generate_key(2048), "RS256"),
        signed_by(ECKey.generate_key("P-256"), "ES256", kid="ec"),
        signed_by(RSA, "RS256", kid="ec"),
        # The key is for RS256 only.
        signed_by(RSAKey.import_key(RSA.as_pem(private=True)), "RS512"),
        # A public key is known to everyone: it must not pass for a shared secret.
        jwt.sign({"sub": "x"}, RSA.as_pem(private=False).decode()),
    ],
    # Keys are made anew for each run; names must not be, or the workers of a parallel run collect different tests.
    ids=[
        "foreign RSA key",
        "foreign EC key",
        "key of another type",
        "other algorithm",
        "public key as secret",
    ],
)
def test_token_of_an_unknown_key_is_rejected(token: str) -> None:
    with pytest.raises(jwt.TokenError) as caught:
        jwt.verify(token, SECRET, NOW, KEYS)
    assert (caught.value.kind, caught.value.message) == ("signature", "No suitable key or wrong key type")
    assert caught.value.details in (
        "None of the keys was able to decode the JWT",
        "No suitable key was found to decode the JWT",
    )


def test_token_with_claims_that_are_no_object_is_rejected() -> None:
    token = joserfc_jws.serialize_compact({"alg": "HS256"}, b"[1]", OctKey.import_key(SECRET))
    with pytest.raises(jwt.TokenError) as caught:
        jwt.verify(token, SECRET, NOW)
    assert (caught.value.kind, caught.value.message) == ("claims", "Parsing claims failed")


def test_hs256_token_is_rejected_without_a_secret() -> None:
    for token in (jwt.sign({"sub": "x"}, SECRET), jwt.sign({"sub": "x"}, "")):
        with pytest.raises(jwt.TokenError):
            jwt.verify(token, None, NOW)


def test_symmetric_key_of_a_set_verifies_hs256() -> None:
    value = base64.urlsafe_b64encode(b"another secret of more than 32 characters").rstrip(b"=").decode()
    keys = Jwks({"kty": "oct", "k": value})
    token = jwt.sign({"sub": "x"}, "another secret of more than 32 characters")
    assert jwt.verify(token, SECRET, NOW, keys) == {"sub": "x"}


@pytest.mark.parametrize("aud", [{"a": 1}, 5, [{"a": 1}, "test"]])
def test_audience_must_be_text(aud: object) -> None:
    with pytest.raises(jwt.TokenError) as caught:
        jwt.verify(jwt.sign({"aud": aud}, SECRET), SECRET, NOW)
    assert caught.value.message == "The JWT 'aud' claim must be a string or an array of strings"


def test_key_set_is_read_from_the_environment_or_its_file(tmp_path: Path) -> None:
    document = json.dumps({"keys": [EC.as_dict(private=False)]})
    (tmp_path / "jwks.json").write_text(document)
    token = signed_by(EC, "ES256")
    for key_set in (document, str(tmp_path / "jwks.json")):
        assert jwt.verify(token, SECRET, NOW, jwks_from({"JWT_JWKS": key_set})) == {"sub": "x"}
    for wrong in ("/nowhere/jwks.json", "{", '{"keys":[{"kty":"odd"}]}'):
        with pytest.raises(UserError, match="JWT_JWKS"):
            jwks_from({"JWT_JWKS": wrong})


_EC = ECKey.generate_key("P-256", {"kid": "k"})


@pytest.mark.parametrize(
    "extension",
    [
        {"crit": ["exp"], "exp": 1},
        {"crit": []},
        {"crit": ["b64"], "b64": False},
        {"b64": False},
        {"b64": True},
    ],
)
def test_token_with_a_critical_extension_is_rejected(extension: dict[str, object]) -> None:
    head, payload = encoded({"alg": "HS256", **extension}), encoded({"role": "service_role"})
    digest = hmac.new(SECRET.encode(), f"{head}.{payload}".encode(), hashlib.sha256).digest()
    shared = f"{head}.{payload}." + base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
    keys = Jwks({"keys": [_EC.as_dict(private=False)]})
    plain = joserfc_jwt.encode({"alg": "ES256", "kid": "k"}, {"role": "x"}, _EC, algorithms=["ES256"])
    assert jwt.verify(plain, None, NOW, keys) == {"role": "x"}
    signed_by_key = ".".join([encoded({"alg": "ES256", "kid": "k", **extension}), *plain.split(".")[1:]])
    for token in (shared, signed_by_key):
        with pytest.raises(jwt.TokenError) as caught:
            jwt.verify(token, SECRET, NOW, keys)
        assert (caught.value.kind, caught.value.message) == ("malformed", "JWT couldn't be decoded")


def test_deep_json_is_a_malformed_token() -> None:
    deep = base64.urlsafe_b64encode(b"[" * 100_000).decode()
    with pytest.raises(jwt.TokenError) as caught:
        jwt.verify(f"{deep}.{deep}.c", SECRET, NOW)
    assert caught.value.kind == "malformed"


def test_id_token_is_no_access_token() -> None:
    claims = {"sub": "someone", "aud": "a client", "client_id": "a client", "exp": NOW + 60}
    with pytest.raises(jwt.TokenError, match="An ID token is no access token"):
        jwt.verify(jwt.sign(claims, SECRET), SECRET, NOW)


@pytest.mark.parametrize(
    "changes",
    [{"role": "authenticated"}, {"aud": "authenticated"}, {"aud": ["a client"]}, {"client_id": None}],
)
def test_access_token_may_name_a_client(changes: dict[str, object]) -> None:
    claims = {"sub": "someone", "aud": "a client", "client_id": "a client"} | changes
    assert jwt.verify(jwt.sign(claims, SECRET), SECRET, NOW) == claims
