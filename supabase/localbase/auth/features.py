"""Features that a project switches on, each with its setting and upstream's error while it is off.

A route of a feature that localbase does not have answers with the same error: never 404 of an unknown path.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from localbase.auth.errors import AuthError
from localbase.core.auth_settings import AuthSettings


@dataclass(frozen=True, slots=True)
class Feature:
    """`error` is raised where `is_on` says no."""

    is_on: Callable[[AuthSettings], bool]
    status: int
    code: str
    message: str

    def require(self, auth: AuthSettings) -> None:
        """Raises the feature's error if it is off."""
        if not self.is_on(auth):
            raise AuthError(self.status, self.code, self.message)


def _never(auth: AuthSettings) -> bool:  # noqa: ARG001
    return False


ANONYMOUS_USERS = Feature(
    lambda auth: auth.enable_anonymous_sign_ins,
    *(422, "anonymous_provider_disabled", "Anonymous sign-ins are disabled"),
)
MANUAL_LINKING = Feature(
    lambda auth: auth.enable_manual_linking, 404, "manual_linking_disabled", "Manual linking is disabled"
)
PASSKEYS = Feature(lambda auth: auth.passkey.enabled, 404, "passkey_disabled", "Passkeys are disabled")
OAUTH_SERVER = Feature(
    lambda auth: auth.oauth_server.enabled, 404, "feature_disabled", "OAuth server is disabled"
)
# What localbase does not have: `core.auth_settings` rejects their settings by name.
SAML = Feature(_never, 404, "saml_provider_disabled", "SAML 2.0 is disabled")
WEB3 = Feature(_never, 422, "web3_provider_disabled", "Web3 provider is disabled")
CUSTOM_PROVIDERS = Feature(_never, 404, "feature_disabled", "Custom OAuth providers are disabled")
SCIM = Feature(_never, 404, "feature_disabled", "SCIM server is disabled")
