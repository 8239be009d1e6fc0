"""The providers of `[auth.external.*]`: which are switched on, and upstream's errors for those that are not."""

from __future__ import annotations

from localbase.auth import errors
from localbase.auth.providers.oauth2 import GitHubProvider, KeycloakProvider
from localbase.auth.providers.oidc import OidcProvider
from localbase.auth.providers.provider import Client, Provider
from localbase.core.auth_settings import ProviderSettings

# Every provider that upstream knows. Only some can sign in here without a `url`.
KNOWN = (
    *("apple", "azure", "bitbucket", "discord", "facebook", "figma", "fly", "github", "gitlab", "google"),
    *("kakao", "keycloak", "linkedin", "linkedin_oidc", "notion", "slack", "slack_oidc", "snapchat"),
    *("spotify", "twitch", "twitter", "vercel_marketplace", "workos", "x", "zoom"),
)
ISSUERS = {"google": "https://accounts.google.com"}


def providers_of(settings: dict[str, ProviderSettings], callback: str) -> dict[str, Provider]:
    """The providers that are switched on and can be used: GitHub, Keycloak, and OpenID Connect issuers."""
    enabled = {
        name: _provider(name, section, callback) for name, section in settings.items() if section.enabled
    }
    return {name: provider for name, provider in enabled.items() if provider is not None}


def require_provider(
    providers: dict[str, Provider], settings: dict[str, ProviderSettings], name: str
) -> Provider:
    """The provider of this name, in capitals or not. Raises 400."""
    provider = providers.get(name.lower())
    if provider is not None:
        return provider
    raise errors.validation_failed(f"Unsupported provider: {_reason(settings, name.lower())}")


def _reason(settings: dict[str, ProviderSettings], name: str) -> str:
    section = settings.get(name)
    if name.startswith("custom:"):
        return "custom OAuth providers are disabled"
    if section is None:
        return "provider is not enabled" if name in KNOWN else f"Provider {name} could not be found"
    if not section.enabled:
        return "provider is not enabled"
    if not client_ids(section):
        return "missing OAuth client ID"
    if name == "keycloak":
        return "unable to find URL for the Keycloak provider"
    return f"Provider {name} could not be found"


def client_ids(settings: ProviderSettings) -> tuple[str, ...]:
    """`client_id` may be a list with commas: the apps of a project may each have one."""
    return tuple(part.strip() for part in settings.client_id.split(",") if part.strip())


def _provider(name: str, section: ProviderSettings, callback: str) -> Provider | None:
    client = Client(client_ids(section), section.secret, section.redirect_uri or callback)
    issuer = section.url or ISSUERS.get(name)
    if not client.ids:
        return None
    if name == "github":
        return GitHubProvider(client, section.url, section.email_optional)
    if name == "keycloak":
        return (
            KeycloakProvider(client, section.url, section.email_optional, section.skip_nonce_check)
            if section.url
            else None
        )
    return (
        OidcProvider(name, issuer, client, section.skip_nonce_check, section.email_optional)
        if issuer
        else None
    )
