"""GoTrue's errors and their two renderings (upstream: supabase/auth, `internal/api/apierrors`).

Clients that send `X-Supabase-Api-Version: 2024-01-01` or later read `{"code", "message"}`; older ones read
`{"code": <status>, "error_code", "msg"}`.
"""

from __future__ import annotations

import logging
from typing import Any, Literal
from uuid import UUID

from starlette.requests import Request
from starlette.responses import JSONResponse

from localbase.core.errors import ApiError

API_VERSION = "2024-01-01"
_log = logging.getLogger("localbase.auth")


class AuthError(ApiError):
    """An error of the auth service. `extra` goes into the body beside code and message."""

    def __init__(self, status: int, code: str, message: str, **extra: Any) -> None:
        super().__init__(status, code, message)
        self.extra = extra


class OAuthError(AuthError):
    """An error of OAuth 2 (RFC 6749, section 5.2), in its own form: `{"error", "error_description"}`."""


def render(request: Request, error: AuthError) -> JSONResponse:
    """The body in the form that the client's version reads."""
    if isinstance(error, OAuthError):
        return JSONResponse({"error": error.code, "error_description": error.message}, error.status)
    if request.headers.get("x-supabase-api-version", "") >= API_VERSION:
        body: dict[str, Any] = {"code": error.code, "message": error.message, **error.extra}
        headers = {"x-supabase-api-version": API_VERSION, "x-sb-error-code": error.code}
        return JSONResponse(body, error.status, headers)
    body = {"code": error.status, "error_code": error.code, "msg": error.message, **error.extra}
    return JSONResponse(body, error.status, {"x-sb-error-code": error.code})


def bad_json() -> AuthError:
    """The body is no JSON object."""
    return AuthError(400, "bad_json", "Could not read request body as JSON")


def validation_failed(message: str, status: int = 400) -> AuthError:
    """A field is missing or malformed."""
    return AuthError(status, "validation_failed", message)


def invalid_credentials() -> AuthError:
    """Wrong e-mail or password; the error does not say which."""
    return AuthError(400, "invalid_credentials", "Invalid login credentials")


def signup_disabled() -> AuthError:
    """The project takes no new users."""
    return AuthError(422, "signup_disabled", "Signups not allowed for this instance")


def user_exists() -> AuthError:
    """Used only where it discloses nothing."""
    return AuthError(422, "user_already_exists", "User already registered")


def weak_password(reasons: list[str], message: str) -> AuthError:
    """Too short, or without the characters that the project requires."""
    return AuthError(422, "weak_password", message, weak_password={"reasons": reasons})


def over_send_rate(kind: Literal["email", "sms"], seconds: int) -> AuthError:
    """The last mail to this address, or SMS to this number, was sent a moment ago."""
    text = f"For security purposes, you can only request this after {seconds} seconds."
    return AuthError(429, f"over_{kind}_send_rate_limit", text)


def over_request_rate(seconds: int | None = None) -> AuthError:
    """Too many requests from one address. `seconds` until the next may come, where that is known."""
    text = "Request rate limit reached" + (f", try again in {seconds} seconds" if seconds else "")
    return AuthError(429, "over_request_rate_limit", text)


def hook_rejected(status: int, message: str) -> AuthError:
    """A hook of the project has said no, in its own words. Upstream gives no code."""
    return AuthError(status, "unexpected_failure" if status == 500 else "unknown", message)


def hook_failed(uri: str, reason: str) -> AuthError:
    """A hook could not be run. The reason goes to the log."""
    _log.error("the hook %s failed: %s", uri, reason)
    return AuthError(500, "unexpected_failure", f"Error running hook URI: {uri}")


def no_authorization() -> AuthError:
    """The endpoint is for signed-in users."""
    return AuthError(401, "no_authorization", "This endpoint requires a valid Bearer token")


def bad_jwt(reason: str) -> AuthError:
    """The bearer token does not verify."""
    return AuthError(403, "bad_jwt", f"invalid JWT: unable to parse or verify signature, {reason}")


def bad_claim(reason: str, status: int = 403) -> AuthError:
    """The token verifies, but does not name a user or a session."""
    return AuthError(status, "bad_jwt", f"invalid claim: {reason}")


def user_of_token_not_found() -> AuthError:
    """The user was deleted meanwhile."""
    return AuthError(403, "user_not_found", "User from sub claim in JWT does not exist")


def user_banned(status: int = 400) -> AuthError:
    """Shut out by an administrator: 400 for grants, 403 for everything behind a token."""
    return AuthError(status, "user_banned", "User is banned")


def not_for_oauth_clients() -> AuthError:
    """The session was opened for an OAuth client, and this is for the user alone."""
    return AuthError(403, "no_authorization", "OAuth clients cannot perform these actions")


def session_not_found() -> AuthError:
    """Signed out meanwhile."""
    return AuthError(403, "session_not_found", "Session from session_id claim in JWT does not exist")


def user_not_found(status: int = 404) -> AuthError:
    """No such user."""
    return AuthError(status, "user_not_found", "User not found")


def refresh_token_not_found() -> AuthError:
    """Unknown refresh token."""
    return AuthError(400, "refresh_token_not_found", "Invalid Refresh Token: Refresh Token Not Found")


def refresh_token_already_used() -> AuthError:
    """A rotated token came again, too late for a race: the session is revoked."""
    return AuthError(400, "refresh_token_already_used", "Invalid Refresh Token: Already Used")


def malformed_refresh_token() -> AuthError:
    """No service has issued such a token."""
    return AuthError(400, "validation_failed", "Refresh token is not valid")


def refresh_token_without_session() -> AuthError:
    """A token from before there were sessions."""
    return AuthError(400, "session_not_found", "Invalid Refresh Token: No Valid Session Found")


def refresh_token_of_banned_user() -> AuthError:
    """Shut out by an administrator."""
    return AuthError(400, "user_banned", "Invalid Refresh Token: User Banned")


def wrong_oauth_client(of_session: UUID | None, caller: UUID | None) -> OAuthError:
    """A session that was opened for an OAuth client is carried on by that client alone."""
    text = "Client does not match the session's OAuth client"
    if of_session is None:
        text = "Client authentication not allowed for non-OAuth session"
    elif caller is None:
        text = "Client authentication required for OAuth session"
    return OAuthError(400, "invalid_client", text)


def session_expired(reason: str) -> AuthError:
    """The session has an end, and it has come."""
    return AuthError(400, "session_expired", f"Invalid Refresh Token: {reason}")


def otp_expired() -> AuthError:
    """A mail's link or code is spent, too old or false."""
    return AuthError(403, "otp_expired", "Email link is invalid or has expired")


def code_expired() -> AuthError:
    """A code that was typed in is spent, too old or false."""
    return AuthError(403, "otp_expired", "Token has expired or is invalid")


def insufficient_aal(message: str, status: int) -> AuthError:
    """The user has a second factor, this session has not proven it, and this wants it."""
    return AuthError(status, "insufficient_aal", message)


def email_exists() -> AuthError:
    """Another user has this address."""
    return AuthError(422, "email_exists", "A user with this email address has already been registered")


def phone_exists() -> AuthError:
    """Another user has this number."""
    return AuthError(422, "phone_exists", "A user with this phone number has already been registered")


def user_id_exists() -> AuthError:
    """Another user has the ID that an administrator has given."""
    return AuthError(409, "conflict", "A user with this ID already exists")


def not_admin() -> AuthError:
    """The admin endpoints are for the service role."""
    return AuthError(403, "not_admin", "User not allowed")


def anonymous_not_allowed() -> AuthError:
    """Return what wants an account that its owner can come back to."""
    return AuthError(403, "no_authorization", "Anonymous user not allowed to perform these actions")


def session_required_for_factors() -> AuthError:
    """The token names a user, but no session that a second factor could raise."""
    text = "A valid session and a registered user are required to enroll a factor"
    return AuthError(500, "unexpected_failure", text)


def mfa_verification_failed(message: str) -> AuthError:
    """A wrong code."""
    return AuthError(422, "mfa_verification_failed", message)


def webauthn_failed(*, malformed: bool) -> AuthError:
    """The browser's response does not prove the key."""
    text = "Invalid credential response" if malformed else "Credential verification failed"
    return AuthError(400, "webauthn_verification_failed", text)
