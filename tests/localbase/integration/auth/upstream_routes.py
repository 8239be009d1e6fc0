"""Every route of upstream's router (supabase/auth, `internal/api/api.go`), and the fields that its bodies may have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Caller = Literal["anyone", "user", "admin"]


@dataclass(frozen=True, slots=True)
class UpstreamRoute:
    """`path` has its parameters in braces. `fields` are those of the body, or of the query where there is no body."""

    method: str
    path: str
    caller: Caller
    fields: tuple[str, ...] = ()

    @property
    def is_admins(self) -> bool:
        """Tell whether only the service role may call it."""
        return self.caller == "admin"

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


_PKCE = ("code_challenge", "code_challenge_method", "gotrue_meta_security")
_SIGN_IN = ("email", "phone", "password", "data", "channel", "create_user", *_PKCE)
_TOKEN = (
    *("email", "phone", "password", "refresh_token", "auth_code", "code_verifier", "provider", "id_token"),
    *("access_token", "nonce", "client_id", "issuer", "link_identity", "chain", "message", "signature"),
    *("gotrue_meta_security",),
)
_VERIFY = ("type", "token", "token_hash", "email", "phone", "redirect_to")
_USER = (
    *("email", "phone", "password", "current_password", "nonce", "data", "app_metadata", "channel"),
    *("code_challenge", "code_challenge_method"),
)
_ADMINS_USER = (
    *("aud", "role", "email", "phone", "password", "password_hash", "email_confirm", "phone_confirm"),
    *("user_metadata", "app_metadata", "ban_duration", "id", "nonce"),
)
_CREDENTIAL = ("challenge_id", "credential", "type", "rp_id", "rp_origins", "credential_response")
_CLIENT = (
    *("client_name", "client_uri", "logo_uri", "redirect_uris", "grant_types", "response_types", "scope"),
    *("token_endpoint_auth_method", "client_type"),
)
_PAGE = ("page", "per_page", "sort", "filter", "query", "aud")
_AUTHORIZE = (
    *("provider", "redirect_to", "scopes", "invite_token", "code_challenge", "code_challenge_method"),
    *("skip_http_redirect", "flow_type"),
)
_CALLBACK = ("state", "code", "error", "error_description", "oauth_token", "oauth_verifier")
_USERS, _FACTOR = "/admin/users/{user_id}", "/admin/users/{user_id}/factors/{factor_id}"
_CLIENTS = "/admin/oauth/clients/{client_id}"
_AUTHORIZATION = "/oauth/authorizations/{authorization_id}"

UPSTREAM_ROUTES = (
    UpstreamRoute("GET", "/health", "anyone"),
    UpstreamRoute("GET", "/.well-known/jwks.json", "anyone"),
    UpstreamRoute("GET", "/.well-known/openid-configuration", "anyone"),
    UpstreamRoute("GET", "/.well-known/oauth-authorization-server", "anyone"),
    UpstreamRoute("GET", "/callback", "anyone", _CALLBACK),
    UpstreamRoute("POST", "/callback", "anyone", _CALLBACK),
    UpstreamRoute("GET", "/settings", "anyone"),
    UpstreamRoute("GET", "/authorize", "anyone", _AUTHORIZE),
    UpstreamRoute("POST", "/invite", "admin", ("email", "data", "redirect_to")),
    UpstreamRoute("POST", "/signup", "anyone", _SIGN_IN),
    UpstreamRoute("POST", "/recover", "anyone", ("email", *_PKCE)),
    UpstreamRoute("POST", "/resend", "anyone", ("type", "email", "phone", *_PKCE)),
    UpstreamRoute("POST", "/magiclink", "anyone", ("email", "data", *_PKCE)),
    UpstreamRoute("POST", "/otp", "anyone", _SIGN_IN),
    UpstreamRoute("POST", "/token?grant_type=password", "anyone", _TOKEN),
    UpstreamRoute("POST", "/token?grant_type=refresh_token", "anyone", _TOKEN),
    UpstreamRoute("POST", "/token?grant_type=pkce", "anyone", _TOKEN),
    UpstreamRoute("POST", "/token?grant_type=id_token", "anyone", _TOKEN),
    UpstreamRoute("POST", "/token?grant_type=web3", "anyone", _TOKEN),
    UpstreamRoute("GET", "/verify", "anyone", _VERIFY),
    UpstreamRoute("POST", "/verify", "anyone", _VERIFY),
    UpstreamRoute("POST", "/logout", "user", ("scope",)),
    UpstreamRoute("GET", "/reauthenticate", "user"),
    UpstreamRoute("GET", "/user", "user"),
    UpstreamRoute("PUT", "/user", "user", _USER),
    UpstreamRoute("GET", "/user/identities/authorize", "user", _AUTHORIZE),
    UpstreamRoute("DELETE", "/user/identities/{identity_id}", "user"),
    UpstreamRoute("GET", "/user/oauth/grants", "user"),
    UpstreamRoute("DELETE", "/user/oauth/grants", "user", ("client_id",)),
    UpstreamRoute("POST", "/factors", "user", ("factor_type", "friendly_name", "issuer", "phone")),
    UpstreamRoute("POST", "/factors/{factor_id}/verify", "user", ("challenge_id", "code", "webauthn")),
    UpstreamRoute("POST", "/factors/{factor_id}/challenge", "user", ("channel", "webauthn")),
    UpstreamRoute("DELETE", "/factors/{factor_id}", "user", ("code",)),
    UpstreamRoute("POST", "/passkeys/authentication/options", "anyone", ("gotrue_meta_security", "email")),
    UpstreamRoute("POST", "/passkeys/authentication/verify", "anyone", _CREDENTIAL),
    UpstreamRoute("POST", "/passkeys/registration/options", "user", ("friendly_name",)),
    UpstreamRoute("POST", "/passkeys/registration/verify", "user", _CREDENTIAL),
    UpstreamRoute("GET", "/passkeys", "user"),
    UpstreamRoute("PATCH", "/passkeys/{passkey_id}", "user", ("friendly_name",)),
    UpstreamRoute("DELETE", "/passkeys/{passkey_id}", "user"),
    UpstreamRoute("POST", "/sso", "anyone", ("provider_id", "domain", "redirect_to", *_PKCE)),
    UpstreamRoute("GET", "/sso/saml/metadata", "anyone", ("download",)),
    UpstreamRoute("POST", "/sso/saml/acs", "anyone", ("RelayState", "SAMLResponse")),
    UpstreamRoute("GET", "/admin/audit", "admin", _PAGE),
    UpstreamRoute("GET", "/admin/users", "admin", _PAGE),
    UpstreamRoute("POST", "/admin/users", "admin", _ADMINS_USER),
    UpstreamRoute("GET", _USERS, "admin"),
    UpstreamRoute("PUT", _USERS, "admin", _ADMINS_USER),
    UpstreamRoute("DELETE", _USERS, "admin", ("should_soft_delete",)),
    UpstreamRoute("GET", f"{_USERS}/factors", "admin"),
    UpstreamRoute("PUT", _FACTOR, "admin", ("friendly_name", "phone", "factor_type")),
    UpstreamRoute("DELETE", _FACTOR, "admin"),
    UpstreamRoute("GET", f"{_USERS}/passkeys", "admin"),
    UpstreamRoute("DELETE", f"{_USERS}/passkeys/{{passkey_id}}", "admin"),
    UpstreamRoute(
        *("POST", "/admin/generate_link", "admin"),
        ("type", "email", "new_email", "password", "data", "redirect_to"),
    ),
    UpstreamRoute("GET", "/admin/sso/providers", "admin"),
    UpstreamRoute("POST", "/admin/sso/providers", "admin", ("type", "metadata_url", "domains")),
    UpstreamRoute("GET", "/admin/sso/providers/{idp_id}", "admin"),
    UpstreamRoute("PUT", "/admin/sso/providers/{idp_id}", "admin", ("metadata_xml", "domains")),
    UpstreamRoute("DELETE", "/admin/sso/providers/{idp_id}", "admin"),
    UpstreamRoute("GET", "/admin/oauth/clients", "admin", _PAGE),
    UpstreamRoute("POST", "/admin/oauth/clients", "admin", _CLIENT),
    UpstreamRoute("GET", _CLIENTS, "admin"),
    UpstreamRoute("PUT", _CLIENTS, "admin", _CLIENT),
    UpstreamRoute("DELETE", _CLIENTS, "admin"),
    UpstreamRoute("POST", f"{_CLIENTS}/regenerate_secret", "admin"),
    UpstreamRoute("GET", "/admin/custom-providers", "admin", ("type",)),
    UpstreamRoute("POST", "/admin/custom-providers", "admin", ("provider_type", "identifier", "name")),
    UpstreamRoute("GET", "/admin/custom-providers/{identifier}", "admin"),
    UpstreamRoute("PUT", "/admin/custom-providers/{identifier}", "admin", ("name",)),
    UpstreamRoute("DELETE", "/admin/custom-providers/{identifier}", "admin"),
    UpstreamRoute("POST", "/oauth/clients/register", "anyone", _CLIENT),
    UpstreamRoute(
        *("POST", "/oauth/token", "anyone"),
        (
            "grant_type",
            "code",
            "redirect_uri",
            "client_id",
            "client_secret",
            "code_verifier",
            "refresh_token",
        ),
    ),
    UpstreamRoute("GET", "/oauth/userinfo", "user"),
    UpstreamRoute(
        *("GET", "/oauth/authorize", "anyone"),
        (
            "client_id",
            "redirect_uri",
            "response_type",
            "scope",
            "state",
            "code_challenge",
            "nonce",
            "resource",
        ),
    ),
    UpstreamRoute("GET", _AUTHORIZATION, "user"),
    UpstreamRoute("POST", f"{_AUTHORIZATION}/consent", "user", ("action",)),
    UpstreamRoute("GET", "/scim/v2/ServiceProviderConfig", "anyone"),
    UpstreamRoute("GET", "/scim/v2/ResourceTypes", "anyone"),
    UpstreamRoute("GET", "/scim/v2/Schemas", "anyone"),
)
