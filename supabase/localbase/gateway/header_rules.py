"""The rules for `apikey` and `Authorization` on the way to each service: one table, first match wins.

Upstream: the routes of the official CLI's gateway (`internal/start/templates/kong.yml`), and the key that the hosted
platform's gateway demands before Data API and Auth (`docker/volumes/api/kong.yml`, `key-auth`).
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class HeaderRule:
    """For the paths at and below `path`.

    `key_required`: without one of the project's keys the gateway answers 401. `fills_authorization`: the service finds
    in `Authorization` the token of the API key where the client has sent none, or an opaque key
    (`Authenticator.authorization`).
    """

    path: str
    key_required: bool
    fills_authorization: bool


_AUTH = "/auth/v1"
# Browsers come there from a mail or from another site.
_PAGES = ("/verify", "/callback", "/authorize")
# Documents for everyone; and the OAuth server's clients have keys of their own.
_OPEN = (
    *(
        "/.well-known/jwks.json",
        "/.well-known/openid-configuration",
        "/.well-known/oauth-authorization-server",
    ),
    *("/health", "/oauth/authorize", "/oauth/token", "/oauth/userinfo", "/oauth/clients/register"),
)
HEADER_RULES = (
    *(HeaderRule(_AUTH + path, key_required=False, fills_authorization=False) for path in _PAGES),
    *(HeaderRule(_AUTH + path, key_required=False, fills_authorization=True) for path in _OPEN),
    HeaderRule(_AUTH, key_required=True, fills_authorization=True),
    HeaderRule("/rest/v1", key_required=True, fills_authorization=True),
    # The signature of an S3 request is in that header.
    HeaderRule("/storage/v1/s3", key_required=False, fills_authorization=False),
    HeaderRule("/storage/v1", key_required=False, fills_authorization=True),
    HeaderRule("/functions/v1", key_required=False, fills_authorization=True),
    HeaderRule("/realtime/v1/api", key_required=False, fills_authorization=True),
    # A WebSocket's key is in its query.
    HeaderRule("/realtime/v1", key_required=False, fills_authorization=False),
)
_NONE = HeaderRule("", key_required=False, fills_authorization=False)


def header_rule(path: str) -> HeaderRule:
    """The rule for a path. What is in no row passes as it came."""
    return next(
        (rule for rule in HEADER_RULES if path == rule.path or path.startswith(rule.path + "/")), _NONE
    )
