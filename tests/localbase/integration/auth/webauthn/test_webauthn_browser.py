"""Security keys and passkeys in Chromium, with its virtual authenticator, through the official JavaScript client."""

from __future__ import annotations

import base64
import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.localbase.integration.auth.calls import PASSWORD, audited, execute, new_session
from tests.localbase.integration.auth.webauthn.browser_page import SitePage, site_page, site_server
from tests.support.browser import FLAGS, find_browser
from tests.support.stacks import Stack

SIGN_IN = """
  const { error } = await client.auth.signInWithPassword({ email, password });
  return error && [error.status, error.code, error.message];
"""
LEVELS = "const { data: levels } = await client.auth.mfa.getAuthenticatorAssuranceLevel();"
REGISTER_FACTOR = """
  const { data, error } = await client.auth.mfa.webauthn.register({ friendlyName: name });
  return { error: error && [error.status, error.code], type: data && data.user && data.user.email };
"""
PROVE_FACTOR = """
  const { data: factors } = await client.auth.mfa.listFactors();
  const { error } = await client.auth.mfa.webauthn.authenticate({ factorId: factors.webauthn[0].id });
  const { data: levels } = await client.auth.mfa.getAuthenticatorAssuranceLevel();
  return {
    error: error && [error.status, error.code, error.message],
    level: levels.currentLevel,
    methods: levels.currentAuthenticationMethods.map((entry) => entry.method),
  };
"""
REGISTER_PASSKEY = "const { data, error } = await client.auth.registerPasskey();"
BY_PASSKEY = """
  const { data, error } = await client.auth.signInWithPasskey();
  return { email: data && data.user && data.user.email, error: error && [error.status, error.code, error.message] };
"""


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def address(auth: Stack) -> Iterator[str]:
    with site_server(auth) as running:
        yield running


@pytest.fixture
def site(chromium: Browser, auth: Stack, address: str, email: str) -> Iterator[SitePage]:
    """A page where a new user is signed in, on a machine with an authenticator of its own."""
    new_session(auth, email)
    with site_page(chromium, auth, address, "internal") as page:
        sign_in(page, email)
        yield page


@pytest.fixture
def key_site(chromium: Browser, auth: Stack, address: str, email: str) -> Iterator[SitePage]:
    """The same with a security key: for second factors the client asks for one."""
    new_session(auth, email)
    with site_page(chromium, auth, address, "usb") as page:
        sign_in(page, email)
        yield page


def sign_in(page: SitePage, email: str) -> None:
    assert page.run(SIGN_IN, email=email, password=PASSWORD) is None


def passkey_of(page: SitePage) -> dict[str, Any]:
    """Registers one; what the client was told of it."""
    done = page.run(f"{REGISTER_PASSKEY} return {{ data, error: error && [error.status, error.code] }};")
    assert done["error"] is None, done
    return dict(done["data"])


def test_security_key_is_registered_and_proves_the_next_session(
    key_site: SitePage, auth: Stack, email: str
) -> None:
    assert key_site.run(REGISTER_FACTOR, name="key") == {"error": None, "type": email}
    assert key_site.run(f"{LEVELS} return levels.currentLevel;") == "aal2"
    sign_in(key_site, email)
    assert key_site.run(f"{LEVELS} return [levels.currentLevel, levels.nextLevel];") == ["aal1", "aal2"]
    assert key_site.run(PROVE_FACTOR) == {
        "error": None,
        "level": "aal2",
        "methods": ["mfa/webauthn", "password"],
    }
    ((credential, aaguid, left),) = execute(
        auth,
        """
        select web_authn_credential, web_authn_aaguid, (select count(*) from auth.mfa_challenges where factor_id = f.id)
        from auth.mfa_factors as f where user_id = (select id from auth.users where email = %s)
        """,
        email,
    )
    assert set(credential) == {
        "id",
        "publicKey",
        "attestationType",
        "transport",
        "flags",
        "authenticator",
    }
    assert credential["authenticator"]["signCount"] == key_site.credentials()[0]["signCount"] > 1
    assert isinstance(aaguid, uuid.UUID)
    assert left == 0


def test_other_key_does_not_prove_the_factor(key_site: SitePage, email: str) -> None:
    key_site.run(REGISTER_FACTOR, name="key")
    sign_in(key_site, email)
    stolen = key_site.run(
        """
        const { data: factors } = await client.auth.mfa.listFactors();
        const factorId = factors.webauthn[0].id;
        const { data: asked } = await client.auth.mfa.challenge({ factorId, webauthn: {} });
        // A key of the thief's own, made for the challenge that wants a signature of the owner's.
        const made = await navigator.credentials.create({ publicKey: {
          challenge: asked.webauthn.credential_options.publicKey.challenge,
          rp: { id: "localhost", name: "site" },
          user: { id: new Uint8Array(16), name: "thief", displayName: "thief" },
          pubKeyCredParams: [{ type: "public-key", alg: -7 }],
        } });
        const { error } = await client.auth.mfa.verify({
          factorId, challengeId: asked.id, webauthn: { type: "create", credential_response: made },
        });
        const { data: levels } = await client.auth.mfa.getAuthenticatorAssuranceLevel();
        return { error: [error.status, error.code, error.message], level: levels.currentLevel };
        """
    )
    assert stolen == {
        "error": [400, "validation_failed", "WebAuthn type must be create or request"],
        "level": "aal1",
    }


def test_response_of_a_key_counts_once(key_site: SitePage, email: str) -> None:
    key_site.run(REGISTER_FACTOR, name="key")
    sign_in(key_site, email)
    again = key_site.run(
        """
        const { data: factors } = await client.auth.mfa.listFactors();
        const factorId = factors.webauthn[0].id;
        const { data: asked } = await client.auth.mfa.challenge({ factorId, webauthn: {} });
        const signed = await navigator.credentials.get(asked.webauthn.credential_options);
        const webauthn = { type: "request", credential_response: signed };
        const first = await client.auth.mfa.verify({ factorId, challengeId: asked.id, webauthn });
        const second = await client.auth.mfa.verify({ factorId, challengeId: asked.id, webauthn });
        const { data: other } = await client.auth.mfa.challenge({ factorId, webauthn: {} });
        const third = await client.auth.mfa.verify({ factorId, challengeId: other.id, webauthn });
        return [first, second, third].map(({ error }) => error && [error.status, error.code]);
        """
    )
    assert again == [None, [422, "mfa_factor_not_found"], [400, "webauthn_verification_failed"]]


def test_passkey_signs_in_without_a_password(site: SitePage, auth: Stack, email: str) -> None:
    made = passkey_of(site)
    assert set(made) == {"id", "friendly_name", "created_at"}
    assert made["friendly_name"]
    site.run("await client.auth.signOut();")
    assert site.run(BY_PASSKEY) == {"email": email, "error": None}
    claims = site.run(
        f"{LEVELS} return [levels.currentLevel, levels.currentAuthenticationMethods[0].method];"
    )
    assert claims == ["aal1", "passkey"]
    ((count, used),) = execute(
        auth,
        "select sign_count, last_used_at > created_at from auth.webauthn_credentials where id = %s",
        uuid.UUID(made["id"]),
    )
    assert (count, used) == (site.credentials()[0]["signCount"], True)
    user_id = site.run("return (await client.auth.getUser()).data.user.id;")
    entries = [entry for entry in audited(auth, user_id) if entry[1] == {"passkey_id": made["id"]}]
    assert [action for action, _ in entries] == ["passkey_created", "login"]


def test_passkeys_are_listed_renamed_and_deleted(site: SitePage, email: str) -> None:
    made = passkey_of(site)
    seen = site.run(
        """
        const { passkey } = client.auth;
        const first = await passkey.list();
        const renamed = await passkey.update({ passkeyId, friendlyName: "laptop" });
        const deleted = await passkey.delete({ passkeyId });
        return [first.data, renamed.data, deleted.error, (await passkey.list()).data];
        """,
        passkeyId=made["id"],
    )
    assert seen == [[made], made | {"friendly_name": "laptop"}, None, []]
    site.run("await client.auth.signOut();")
    assert site.run(BY_PASSKEY) == {
        "email": None,
        "error": [400, "webauthn_verification_failed", "Credential verification failed"],
    }


def test_same_authenticator_is_not_registered_twice(site: SitePage) -> None:
    passkey_of(site)
    assert site.run(f"{REGISTER_PASSKEY} return error.name;") == "InvalidStateError"


def test_cloned_passkey_is_refused(site: SitePage, email: str) -> None:
    passkey_of(site)
    before = site.credentials()[0]
    assert site.run(BY_PASSKEY)["email"] == email
    site.restore(before)
    assert site.run(BY_PASSKEY)["error"] == [
        400,
        "webauthn_verification_failed",
        "Credential verification failed",
    ]


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ("banned_until = now() + interval '1 hour'", [403, "user_banned", "User is banned"]),
        ("email_confirmed_at = null", [403, "email_not_confirmed", "Email not confirmed"]),
        ("phone = email", [403, "phone_not_confirmed", "Phone not confirmed"]),
    ],
)
def test_user_without_access_does_not_sign_in_by_passkey(
    site: SitePage, auth: Stack, email: str, change: str, error: list[object]
) -> None:
    passkey_of(site)
    execute(auth, f"update auth.users set {change} where email = %s", email)
    assert site.run(BY_PASSKEY)["error"] == error


def test_key_that_another_user_has_is_not_registered(site: SitePage, auth: Stack, email: str) -> None:
    made = site.run(
        """
        const { data } = await client.auth.passkey.startRegistration();
        const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(data.options);
        const credential = await navigator.credentials.create({ publicKey });
        return { challengeId: data.challenge_id, credential: credential.toJSON() };
        """
    )
    other = new_session(auth, f"other-{email}")["user"]["id"]
    raw = base64.urlsafe_b64decode(made["credential"]["rawId"] + "==")
    execute(
        auth,
        "insert into auth.webauthn_credentials (user_id, credential_id, public_key) values (%s, %s, 'key')",
        uuid.UUID(other),
        raw,
    )
    seen = site.run(
        """
        const { error } = await client.auth.passkey.verifyRegistration({ challengeId, credential });
        return [error.status, error.code, error.message];
        """,
        **made,
    )
    assert seen == [422, "webauthn_credential_exists", "This credential is already registered"]


def test_admin_lists_and_deletes_passkeys(site: SitePage, auth: Stack) -> None:
    made = passkey_of(site)
    seen = site.run(
        """
        const userId = (await client.auth.getUser()).data.user.id;
        const { passkey } = supabase.createClient(url, key, { auth: { storageKey: "admin" } }).auth.admin;
        const first = await passkey.listPasskeys({ userId });
        const deleted = await passkey.deletePasskey({ userId, passkeyId });
        return [first.data, deleted.error, (await passkey.listPasskeys({ userId })).data];
        """,
        url=auth.api_url,
        key=auth.service_role_key,
        passkeyId=made["id"],
    )
    assert seen == [[made], None, []]


def test_picture_of_a_totp_key_is_shown_by_a_browser(site: SitePage) -> None:
    shown = site.run(
        """
        const { data } = await client.auth.mfa.enroll({ factorType: "totp" });
        const image = new Image();
        image.src = data.totp.qr_code;
        document.body.append(image);
        return await image.decode().then(() => image.naturalWidth > 100, (error) => error.message);
        """
    )
    assert shown is True
