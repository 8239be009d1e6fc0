"""Every error code of upstream (supabase/auth, `internal/api/apierrors/errorcode.go`).

Each is provoked here, proved elsewhere, or listed with the reason why nothing can provoke it.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from localbase.core.auth_settings import EmailSettings, MfaSettings, OAuthServerSettings, SmsSettings, Switch

from tests.localbase.integration.auth.calls import PASSWORD, call, failure, new_session
from tests.localbase.integration.auth.own_service import own_service
from tests.support.stacks import ROOT, Stack

_CODES = """
unknown unexpected_failure validation_failed bad_json email_exists phone_exists bad_jwt not_admin no_authorization
user_not_found session_not_found session_expired refresh_token_not_found refresh_token_already_used
flow_state_not_found flow_state_expired flow_state_already_used oauth_client_state_not_found
oauth_client_state_expired oauth_invalid_state signup_disabled user_banned provider_email_needs_verification
invite_not_found bad_oauth_state bad_oauth_callback oauth_provider_not_supported unexpected_audience
single_identity_not_deletable email_conflict_identity_not_deletable identity_already_exists email_provider_disabled
phone_provider_disabled too_many_enrolled_mfa_factors mfa_factor_name_conflict mfa_factor_not_found
mfa_ip_address_mismatch mfa_challenge_expired mfa_verification_failed mfa_verification_rejected insufficient_aal
captcha_failed saml_provider_disabled manual_linking_disabled sms_send_failed email_not_confirmed
phone_not_confirmed saml_relay_state_not_found saml_relay_state_expired saml_idp_not_found saml_assertion_no_user_id
saml_assertion_no_email user_already_exists sso_provider_not_found sso_provider_disabled saml_metadata_fetch_failed
saml_idp_already_exists sso_domain_already_exists saml_entity_id_mismatch conflict provider_disabled
user_sso_managed reauthentication_needed same_password reauthentication_not_valid current_password_invalid
current_password_required otp_expired otp_disabled identity_not_found weak_password over_request_rate_limit
over_email_send_rate_limit over_sms_send_rate_limit bad_code_verifier anonymous_provider_disabled hook_timeout
hook_timeout_after_retry hook_payload_over_size_limit hook_payload_invalid_content_type request_timeout
mfa_phone_enroll_not_enabled mfa_phone_verify_not_enabled mfa_totp_enroll_not_enabled mfa_totp_verify_not_enabled
mfa_webauthn_enroll_not_enabled mfa_webauthn_verify_not_enabled mfa_verified_factor_exists invalid_credentials
email_address_not_authorized email_address_invalid web3_provider_disabled web3_unsupported_chain
oauth_dynamic_client_registration_disabled email_address_not_provided feature_disabled oauth_client_not_found
oauth_authorization_not_found oauth_consent_not_found request_entity_too_large custom_provider_not_found
over_custom_provider_quota passkey_disabled too_many_passkeys webauthn_credential_not_found
webauthn_challenge_not_found webauthn_challenge_expired webauthn_verification_failed webauthn_credential_exists
"""
UPSTREAM_CODES = frozenset(re.findall(r"\w+", _CODES))

_SAML = "single sign-on by SAML is off here, and answers saml_provider_disabled before anything else"
_HTTP_HOOK = "hooks are functions of the database here, and upstream has this code for hooks over HTTP alone"
_CUSTOM = "custom providers are off here, and answer feature_disabled before anything else"
_FLOW = "upstream keeps a provider's code verifier in a row of its own, here it is in the flow's row"
_UNUSED = "upstream declares this code and never uses it"
NOT_PROVOKED = {
    "captcha_failed": "captchas are checked by a service outside: switching them on is rejected at the start",
    **dict.fromkeys(
        (
            *("saml_relay_state_not_found", "saml_relay_state_expired", "saml_idp_not_found"),
            *("saml_assertion_no_user_id", "saml_assertion_no_email", "saml_metadata_fetch_failed"),
            *("saml_idp_already_exists", "sso_domain_already_exists", "saml_entity_id_mismatch"),
            *("sso_provider_not_found", "sso_provider_disabled"),
        ),
        _SAML,
    ),
    **dict.fromkeys(
        (
            *("hook_timeout", "hook_timeout_after_retry", "hook_payload_over_size_limit"),
            "hook_payload_invalid_content_type",
        ),
        _HTTP_HOOK,
    ),
    **dict.fromkeys(("custom_provider_not_found", "over_custom_provider_quota"), _CUSTOM),
    **dict.fromkeys(
        ("oauth_client_state_not_found", "oauth_client_state_expired", "oauth_invalid_state"), _FLOW
    ),
    **dict.fromkeys(("email_address_not_provided", "webauthn_credential_not_found"), _UNUSED),
    "web3_unsupported_chain": "sign-in by wallet is off here, and answers web3_provider_disabled before anything else",
    "email_address_not_authorized": "upstream has it for the hosted platform's own mail server alone",
    "email_address_invalid": "upstream has it for an address validation service that no setting of a project names",
}


@dataclass(frozen=True, slots=True)
class Case:
    """A request that is rejected. EMAIL and USER stand for an account that exists, UUID for what does not."""

    status: int
    message: str
    method: str
    path: str
    body: Any = None
    caller: str = ""
    is_off: bool = False


_LARGE = b'{"email":"' + b"a" * 1_048_576 + b'"}'
PROVOKED = {
    "validation_failed": Case(400, "missing email or phone", "POST", "/token?grant_type=password", {}),
    "bad_json": Case(400, "Could not read request body as JSON", "POST", "/signup", b"["),
    "request_entity_too_large": Case(
        413, "Request body too large (max 1048576 bytes)", "POST", "/signup", _LARGE
    ),
    "not_admin": Case(403, "User not allowed", "GET", "/admin/users", caller="user"),
    "phone_provider_disabled": Case(
        400, "Unsupported phone provider", "POST", "/otp", {"phone": "15550100"}, is_off=True
    ),
    "anonymous_provider_disabled": Case(
        422, "Anonymous sign-ins are disabled", "POST", "/signup", {}, is_off=True
    ),
    "passkey_disabled": Case(
        404, "Passkeys are disabled", "POST", "/passkeys/authentication/options", {}, is_off=True
    ),
    "user_not_found": Case(404, "User not found", "GET", "/admin/users/UUID", caller="admin"),
    "email_exists": Case(
        *(422, "A user with this email address has already been registered", "POST", "/admin/users"),
        *({"email": "EMAIL"}, "admin"),
    ),
    "refresh_token_not_found": Case(
        *(400, "Invalid Refresh Token: Refresh Token Not Found", "POST", "/token?grant_type=refresh_token"),
        {"refresh_token": "abcdefghijkl"},
    ),
    "flow_state_not_found": Case(
        *(404, "invalid flow state, no valid flow state found", "POST", "/token?grant_type=pkce"),
        {"auth_code": "UUID", "code_verifier": "a" * 43},
    ),
    "invalid_credentials": Case(
        *(400, "Invalid login credentials", "POST", "/token?grant_type=password"),
        {"email": "EMAIL", "password": "wrong"},
    ),
    "user_already_exists": Case(
        422, "User already registered", "POST", "/signup", {"email": "EMAIL", "password": PASSWORD}
    ),
    "otp_expired": Case(
        *(403, "Token has expired or is invalid", "POST", "/verify"),
        {"type": "email", "email": "EMAIL", "token": "000000"},
    ),
    "same_password": Case(
        *(422, "New password should be different from the old password.", "PUT", "/user"),
        *({"password": PASSWORD}, "user"),
    ),
    "mfa_factor_not_found": Case(404, "Factor not found", "DELETE", "/factors/UUID", caller="user"),
    "saml_provider_disabled": Case(404, "SAML 2.0 is disabled", "POST", "/sso", {"domain": "example.com"}),
    "web3_provider_disabled": Case(
        *(422, "Web3 provider is disabled", "POST", "/token?grant_type=web3"),
        {"chain": "solana", "message": "m", "signature": "s"},
    ),
    "feature_disabled": Case(
        404, "Custom OAuth providers are disabled", "GET", "/admin/custom-providers", caller="admin"
    ),
    "webauthn_challenge_not_found": Case(
        *(400, "Challenge not found or already used", "POST", "/passkeys/authentication/verify"),
        {"challenge_id": "UUID", "credential": {"id": "a"}},
    ),
    "signup_disabled": Case(
        *(422, "Signups not allowed for this instance", "POST", "/signup"),
        *({"email": "UUID@example.com", "password": PASSWORD}, "", True),
    ),
    "otp_disabled": Case(
        *(422, "Signups not allowed for otp", "POST", "/otp"),
        {"email": "UUID@example.com", "create_user": False},
    ),
    "email_provider_disabled": Case(
        400, "Email logins are disabled", "POST", "/recover", {"email": "EMAIL"}, is_off=True
    ),
    "mfa_totp_enroll_not_enabled": Case(
        *(422, "MFA enroll is disabled for TOTP", "POST", "/factors"),
        *({"factor_type": "totp"}, "user", True),
    ),
    "mfa_phone_enroll_not_enabled": Case(
        *(422, "MFA enroll is disabled for Phone", "POST", "/factors"),
        *({"factor_type": "phone", "phone": "15550100"}, "user", True),
    ),
    "mfa_webauthn_enroll_not_enabled": Case(
        *(422, "MFA enroll is disabled for WebAuthn", "POST", "/factors"),
        *({"factor_type": "webauthn"}, "user", True),
    ),
    "mfa_totp_verify_not_enabled": Case(
        *(422, "MFA verification is disabled for TOTP", "POST", "/factors/TOTP/verify"),
        *({"challenge_id": "UUID", "code": "123456"}, "user", True),
    ),
    "mfa_phone_verify_not_enabled": Case(
        *(422, "MFA verification is disabled for Phone", "POST", "/factors/PHONE/verify"),
        *({"challenge_id": "UUID", "code": "123456"}, "user", True),
    ),
    "mfa_webauthn_verify_not_enabled": Case(
        *(422, "MFA verification is disabled for WebAuthn", "POST", "/factors/WEBAUTHN/verify"),
        *({"challenge_id": "UUID", "webauthn": {}}, "user", True),
    ),
}
# By their files below tests/localbase/integration.
_MFA, _TOTP, _USER = "auth/mfa/test_mfa_factors.py", "auth/mfa/test_mfa_totp.py", "auth/users/test_user.py"
_SESSIONS, _OUTBOX = "auth/sessions/test_sessions.py", "auth/messages/test_outbox.py"
_CLIENTS = "auth/oauth_server/test_oauth_server_clients.py"
_REQUESTS = "auth/oauth_server/test_oauth_server_requests.py"
_KEYS, _BROWSER = "auth/passkeys/test_passkeys.py", "auth/webauthn/test_webauthn_browser.py"
_RARE, _IDENTITIES = "auth/test_rare_refusals.py", "auth/external/test_identities.py"
ELSEWHERE = {
    "unknown": "auth/hooks/test_hooks.py::test_claims_that_no_token_can_have_are_rejected",
    "unexpected_failure": f"{_TOTP}::test_key_that_another_service_encrypted_is_an_error_of_the_service",
    "phone_exists": "auth/sign_in/test_phone.py::test_taken_number_is_refused",
    "bad_jwt": "auth/sessions/test_bearer_tokens.py::test_token_that_does_not_verify_is_refused_in_auths_words",
    "session_not_found": f"{_SESSIONS}::test_refresh_token_without_a_session_is_refused_and_deleted",
    "session_expired": f"{_SESSIONS}::test_session_past_not_after_is_not_refreshed",
    "refresh_token_already_used": f"{_SESSIONS}::test_grandparent_later_than_the_interval_ends_the_family",
    "flow_state_expired": "auth/codes/test_links.py::test_code_in_an_address_is_good_for_five_minutes",
    "user_banned": f"{_SESSIONS}::test_banned_user_gets_no_session",
    "no_authorization": f"{_MFA}::test_anonymous_users_have_no_second_factors_and_no_passkeys",
    "too_many_enrolled_mfa_factors": f"{_MFA}::test_factors_are_limited_in_number",
    "mfa_factor_name_conflict": f"{_MFA}::test_name_of_a_factor_is_unique",
    "mfa_ip_address_mismatch": f"{_TOTP}::test_challenge_is_good_for_one_proof_and_one_address",
    "mfa_challenge_expired": f"{_TOTP}::test_challenge_has_five_minutes",
    "mfa_verification_failed": f"{_TOTP}::test_code_counts_once",
    "insufficient_aal": f"{_MFA}::test_second_factor_is_enrolled_with_the_first_one",
    "mfa_verified_factor_exists": "auth/mfa/test_mfa_phone.py::test_number_that_was_never_verified_is_enrolled_anew",
    "sms_send_failed": "auth/sign_in/test_phone_refusals.py::test_full_outbox_answers_as_upstreams_failed_sending",
    "email_not_confirmed": "auth/test_auth.py::test_unconfirmed_user_cannot_sign_in",
    "phone_not_confirmed": "auth/sign_in/test_phone.py::test_signing_up_by_phone_is_confirmed_by_sms",
    "user_sso_managed": f"{_USER}::test_sso_user_is_managed_elsewhere",
    "reauthentication_needed": f"{_USER}::test_old_session_wants_a_code_for_a_new_password",
    "reauthentication_not_valid": f"{_USER}::test_nonce_dies_after_ten_wrong_tries",
    "current_password_required": f"{_USER}::test_present_password_is_wanted_where_the_project_says_so",
    "current_password_invalid": f"{_USER}::test_present_password_is_wanted_where_the_project_says_so",
    "weak_password": "auth/test_auth.py::test_official_client_understands_a_weak_password",
    "over_request_rate_limit": f"{_TOTP}::test_sixteenth_wrong_code_in_a_minute_is_refused",
    "over_email_send_rate_limit": f"{_OUTBOX}::test_known_and_unknown_addresses_have_the_same_response_twice",
    "over_sms_send_rate_limit": "auth/sign_in/test_phone.py::test_so_many_sms_leave_in_an_hour",
    "bad_code_verifier": "auth/test_auth.py::test_pkce_codes_are_worthless_without_their_verifier",
    "bad_oauth_state": "auth/test_sign_in_at_google.py::test_state_is_good_for_one_return",
    "too_many_passkeys": f"{_KEYS}::test_passkeys_are_limited_in_number",
    "webauthn_challenge_expired": f"{_KEYS}::test_challenge_has_five_minutes",
    "webauthn_verification_failed": f"{_KEYS}::test_challenge_counts_once_even_if_the_response_is_none",
    "mfa_verification_rejected": f"{_RARE}::test_hook_rejects_a_right_code_in_its_own_words",
    "invite_not_found": f"{_RARE}::test_invitation_that_was_accepted_meanwhile_is_not_found",
    "oauth_provider_not_supported": f"{_RARE}::test_provider_that_was_switched_off_meanwhile_is_not_supported",
    "request_timeout": f"{_RARE}::test_request_that_waits_too_long_for_the_database_is_refused",
    "flow_state_already_used": "auth/external/test_providers.py::test_code_is_exchanged_for_a_session_in_the_pkce_flow",
    "provider_email_needs_verification": f"{_IDENTITIES}::test_unverified_address_links_to_no_account",
    "bad_oauth_callback": "auth/external/test_provider_faults.py::test_missing_and_forged_codes_are_refused",
    "unexpected_audience": f"{_IDENTITIES}::test_identities_that_cannot_be_unlinked_are_refused",
    "single_identity_not_deletable": f"{_IDENTITIES}::test_identities_that_cannot_be_unlinked_are_refused",
    "identity_not_found": f"{_IDENTITIES}::test_identities_that_cannot_be_unlinked_are_refused",
    "email_conflict_identity_not_deletable": (
        f"{_IDENTITIES}::test_identity_whose_removal_would_take_anothers_address_stays"
    ),
    "identity_already_exists": f"{_IDENTITIES}::test_signed_in_user_links_an_identity",
    "manual_linking_disabled": f"{_IDENTITIES}::test_manual_linking_can_be_off",
    "conflict": "auth/admin/test_admin_users.py::test_taken_address_number_or_id_is_refused",
    "provider_disabled": "auth/external/test_id_tokens.py::test_provider_that_is_off_or_unknown_is_refused",
    "oauth_dynamic_client_registration_disabled": (f"{_CLIENTS}::test_registration_that_is_off_is_refused"),
    "oauth_client_not_found": f"{_CLIENTS}::test_client_is_registered_read_changed_and_deleted",
    "oauth_authorization_not_found": f"{_REQUESTS}::test_unknown_authorization_is_not_found",
    "oauth_consent_not_found": "auth/oauth_server/test_oauth_server_flow.py::test_user_lists_and_revokes_grants",
    "webauthn_credential_exists": f"{_BROWSER}::test_key_that_another_user_has_is_not_registered",
}


@pytest.fixture(scope="module")
def off(auth: Stack) -> Iterator[Stack]:
    """A service over the same database with every feature off."""
    with own_service(
        auth,
        enable_signup=False,
        enable_anonymous_sign_ins=False,
        enable_manual_linking=False,
        email=EmailSettings(enabled=False),
        sms=SmsSettings(),
        mfa=MfaSettings(),
        passkey=Switch(),
        oauth_server=OAuthServerSettings(),
    ) as running:
        yield running


@pytest.fixture(scope="module")
def names(auth: Stack) -> dict[str, str]:
    """Values for the words in capitals."""
    email = f"codes-{uuid.uuid4().hex[:8]}@example.com"
    session = new_session(auth, email)
    token = session["access_token"]
    kinds: dict[str, dict[str, str]] = {"totp": {}, "phone": {"phone": "15550123"}, "webauthn": {}}
    factors = {
        kind.upper(): call(
            auth, "POST", "/factors", token, json={"factor_type": kind, "friendly_name": kind, **more}
        ).json()["id"]
        for kind, more in kinds.items()
    }
    return {"EMAIL": email, "USER": session["user"]["id"], "TOKEN": token, **factors}


def put_in(value: Any, names: dict[str, str]) -> Any:
    if isinstance(value, str):
        replacements = {**names, "UUID": str(uuid.uuid4())}
        return re.sub("|".join(replacements), lambda match: replacements[match[0]], value)
    return {name: put_in(each, names) for name, each in value.items()} if isinstance(value, dict) else value


def send(stack: Stack, case: Case, names: dict[str, str]) -> httpx.Response:
    tokens = {"": "", "user": names["TOKEN"], "admin": stack.service_role_key}
    content: dict[str, Any] = {}
    if isinstance(case.body, bytes):
        content = {"content": case.body}
    elif case.body is not None:
        content = {"json": put_in(case.body, names)}
    return call(stack, case.method, put_in(case.path, names), tokens[case.caller], **content)


@pytest.mark.parametrize("code", PROVOKED)
def test_refusal_has_upstreams_code_and_words(
    auth: Stack, off: Stack, names: dict[str, str], code: str
) -> None:
    case = PROVOKED[code]
    response = send(off if case.is_off else auth, case, names)
    assert failure(response) == (case.status, code, case.message)
    assert response.headers["x-sb-error-code"] == code


def test_every_code_of_upstream_is_provoked_or_has_its_reason() -> None:
    lists = (PROVOKED.keys(), ELSEWHERE.keys(), NOT_PROVOKED.keys())
    assert UPSTREAM_CODES - set().union(*lists) == set()
    assert sum(map(len, lists)) == len(UPSTREAM_CODES)


@pytest.mark.parametrize("code", ELSEWHERE)
def test_code_that_is_provoked_elsewhere_has_a_test_there(code: str) -> None:
    file, _, name = ELSEWHERE[code].partition("::")
    source = (ROOT / "tests" / "localbase" / "integration" / file).read_text()
    assert f"def {name}(" in source
    assert re.search(rf"\b{code}\b", source)
