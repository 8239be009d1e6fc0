"""The auth service: its table of contents, and how an error becomes a response."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

import psycopg
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from localbase.auth import errors, features, meta
from localbase.auth.admin import audit_log, factors, generate_link, invite, save_user, users
from localbase.auth.context import Context
from localbase.auth.external import identities, oauth
from localbase.auth.features import Feature
from localbase.auth.hooks.hooks import Hooks
from localbase.auth.limits import Limit, Limits
from localbase.auth.messages.mailer import Mailer
from localbase.auth.messages.outbox import ROOM, Outbox
from localbase.auth.messages.send_hooks import Delivery
from localbase.auth.mfa.enroll import enroll_factor, unenroll_factor
from localbase.auth.mfa.verify import challenge_factor, verify_factor
from localbase.auth.oauth_server import admin_clients, consent, discovery, grants
from localbase.auth.oauth_server.authorize import authorize as authorize_client
from localbase.auth.oauth_server.claims import read_userinfo
from localbase.auth.oauth_server.registration import register_client
from localbase.auth.oauth_server.token import token as client_token
from localbase.auth.passkeys import manage
from localbase.auth.passkeys.register import registration_options, verify_registration
from localbase.auth.passkeys.sign_in import authentication_options, verify_authentication
from localbase.auth.providers.settings import providers_of
from localbase.auth.sessions import logout
from localbase.auth.sessions.callers import require_live_admin
from localbase.auth.sign_in import otp, resend, signup, token, verify
from localbase.auth.users import user
from localbase.core.clock import Clock, system_clock
from localbase.core.project import Project
from localbase.postgres.pool import PoolExhausted
from localbase.postgres.service_pool import ServicePool

# An endpoint raises what must leave no trace, and returns an error whose writes are to be committed.
Endpoint = Callable[[Context, Request], Awaitable[Response | errors.AuthError]]
_log = logging.getLogger("localbase.auth")

ROUTES: tuple[tuple[str, str, Endpoint], ...] = (
    ("GET", "/health", meta.health),
    ("GET", "/settings", meta.settings),
    ("GET", "/.well-known/jwks.json", meta.published_keys),
    ("POST", "/signup", signup.signup),
    ("POST", "/token", token.token),
    ("GET", "/verify", verify.follow_link),
    ("POST", "/verify", verify.verify_code),
    ("GET", "/authorize", oauth.authorize),
    ("GET", "/callback", oauth.callback),
    ("POST", "/callback", oauth.callback),
    ("GET", "/user/identities/authorize", identities.authorize),
    ("DELETE", "/user/identities/{identity_id}", identities.unlink),
    ("GET", "/user", user.read_user),
    ("PUT", "/user", user.update_user),
    ("POST", "/logout", logout.logout),
    ("POST", "/resend", resend.resend),
    ("POST", "/recover", resend.recover),
    ("GET", "/reauthenticate", resend.reauthenticate),
    ("POST", "/otp", otp.otp),
    ("POST", "/magiclink", otp.magic_link),
    ("POST", "/factors", enroll_factor),
    ("DELETE", "/factors/{factor_id}", unenroll_factor),
    ("POST", "/factors/{factor_id}/challenge", challenge_factor),
    ("POST", "/factors/{factor_id}/verify", verify_factor),
    ("GET", "/.well-known/openid-configuration", discovery.openid_configuration),
    ("GET", "/.well-known/oauth-authorization-server", discovery.authorization_server),
    ("POST", "/oauth/clients/register", register_client),
    ("GET", "/oauth/authorize", authorize_client),
    ("GET", "/oauth/authorizations/{authorization_id}", consent.read_authorization),
    ("POST", "/oauth/authorizations/{authorization_id}/consent", consent.decide),
    ("POST", "/oauth/token", client_token),
    ("GET", "/oauth/userinfo", read_userinfo),
    ("GET", "/user/oauth/grants", grants.list_grants),
    ("DELETE", "/user/oauth/grants", grants.revoke_grant),
    ("GET", "/admin/oauth/clients", admin_clients.list_clients),
    ("POST", "/admin/oauth/clients", admin_clients.create_client),
    ("GET", "/admin/oauth/clients/{client_id}", admin_clients.read_client),
    ("PUT", "/admin/oauth/clients/{client_id}", admin_clients.update_client),
    ("DELETE", "/admin/oauth/clients/{client_id}", admin_clients.delete_client),
    ("POST", "/admin/oauth/clients/{client_id}/regenerate_secret", admin_clients.regenerate_secret),
    ("POST", "/passkeys/authentication/options", authentication_options),
    ("POST", "/passkeys/authentication/verify", verify_authentication),
    ("POST", "/passkeys/registration/options", registration_options),
    ("POST", "/passkeys/registration/verify", verify_registration),
    ("GET", "/passkeys", manage.list_passkeys),
    ("PATCH", "/passkeys/{passkey_id}", manage.rename_passkey),
    ("DELETE", "/passkeys/{passkey_id}", manage.delete_passkey),
    ("POST", "/invite", invite.invite),
    ("POST", "/admin/generate_link", generate_link.generate_link),
    ("GET", "/admin/audit", audit_log.read_audit_log),
    ("GET", "/admin/users", users.list_users),
    ("POST", "/admin/users", save_user.create_user),
    ("GET", "/admin/users/{user_id}", users.read_user),
    ("PUT", "/admin/users/{user_id}", save_user.update_user),
    ("DELETE", "/admin/users/{user_id}", users.delete_user),
    ("GET", "/admin/users/{user_id}/factors", factors.list_factors),
    ("PUT", "/admin/users/{user_id}/factors/{factor_id}", factors.update_factor),
    ("DELETE", "/admin/users/{user_id}/factors/{factor_id}", factors.delete_factor),
    ("GET", "/admin/users/{user_id}/passkeys", manage.list_as_admin),
    ("DELETE", "/admin/users/{user_id}/passkeys/{passkey_id}", manage.delete_as_admin),
)
# For the service role alone, which is required before the endpoint is called.
FOR_ADMINS = ("/admin/", "/invite")
# Limits of routes; sign-up chooses its own, by what is signed up.
LIMITS: dict[tuple[str, str], Limit] = {
    ("POST", "/token"): "token",
    ("GET", "/verify"): "verify",
    ("POST", "/verify"): "verify",
    ("PUT", "/user"): "user",
    ("POST", "/resend"): "resend",
    ("POST", "/recover"): "recover",
    ("POST", "/otp"): "otp",
    ("POST", "/magiclink"): "magiclink",
    ("POST", "/passkeys/authentication/options"): "passkey",
    ("POST", "/oauth/clients/register"): "oauth_client",
    ("POST", "/oauth/token"): "token",
    ("GET", "/oauth/authorize"): "authorize",
    ("GET", "/authorize"): "authorize",
}
# Routes whose work takes a few milliseconds, and more or less for an address that has an account: their responses leave
# no sooner than so many seconds after the request.
EVENED = {("POST", "/recover"), ("POST", "/otp"), ("POST", "/magiclink"), ("POST", "/resend")}
_EVEN_SECONDS = 0.03
# What people search for when a trigger or a key of theirs forbids it: upstream's words for the route's statement.
DATABASE_ERRORS: dict[tuple[str, str], str] = {
    **{
        ("POST", path): "Database error saving new user"
        for path in ("/signup", "/otp", "/magiclink", "/invite", "/admin/generate_link")
    },
    ("POST", "/token"): "Database error granting user",
    ("GET", "/verify"): "Database error updating user",
    ("POST", "/verify"): "Database error updating user",
    ("PUT", "/user"): "Error updating user",
    ("DELETE", "/user/identities/{identity_id}"): "Database error deleting identity",
    ("GET", "/admin/users"): "Database error finding users",
    ("POST", "/admin/users"): "Database error creating new user",
    ("PUT", "/admin/users/{user_id}"): "Error updating user",
    ("DELETE", "/admin/users/{user_id}"): "Database error deleting user",
    ("DELETE", "/admin/users/{user_id}/factors/{factor_id}"): "Database error deleting factor",
    ("DELETE", "/passkeys/{passkey_id}"): "Database error deleting passkey",
    ("DELETE", "/admin/users/{user_id}/passkeys/{passkey_id}"): "Database error deleting passkey",
}
# Routes of features that localbase does not have. Those of administrators are for them all the same.
UNAVAILABLE: tuple[tuple[tuple[str, ...], str, Feature], ...] = (
    (("POST",), "/sso", features.SAML),
    (("GET",), "/sso/saml/metadata", features.SAML),
    (("POST",), "/sso/saml/acs", features.SAML),
    (("GET", "POST"), "/admin/sso/providers", features.SAML),
    (("GET", "PUT", "DELETE"), "/admin/sso/providers/{id}", features.SAML),
    (("GET", "POST"), "/admin/custom-providers", features.CUSTOM_PROVIDERS),
    (("GET", "PUT", "DELETE"), "/admin/custom-providers/{identifier}", features.CUSTOM_PROVIDERS),
    (("GET",), "/scim/v2/{rest:path}", features.SCIM),
)


class AuthService:
    """GoTrue's endpoints over `db`, as an ASGI application `app`."""

    def __init__(
        self, project: Project, db: ServicePool, clock: Clock = system_clock, outbox_room: int = ROOM
    ) -> None:
        settings = project.settings
        mailer = Mailer(project.supabase, settings.auth.email, settings.local_smtp)
        self._hooks = hooks = Hooks(settings.auth.hook, settings.api.port)
        self._outbox = Outbox(Delivery(mailer, hooks, db), room=outbox_room)
        callback = f"{settings.api_url}/auth/v1/callback"
        header = project.environ.get("GOTRUE_RATE_LIMIT_HEADER", "")
        limits = Limits(db, clock, settings.auth.rate_limit, header)
        providers = providers_of(settings.auth.external, callback)
        context = Context(settings, db, self._outbox, clock, limits, hooks, providers, project.signing)
        routes = [
            Route(
                path,
                _bound(
                    context,
                    _admitted(verb, path, endpoint),
                    DATABASE_ERRORS.get((verb, path), "Database error"),
                ),
                methods=[verb],
            )
            for verb, path, endpoint in ROUTES
        ]
        routes += [
            Route(
                path, _bound(context, _admitted("", path, _unavailable(path, feature))), methods=list(verbs)
            )
            for verbs, path, feature in UNAVAILABLE
        ]
        for route in routes:
            # Starlette answers HEAD beside GET, upstream's router no method but those that it names.
            route.methods = (route.methods or set()) - {"HEAD"}
        # In the words of Go's router.
        handlers = {404: _not_found, 405: _method_not_allowed}
        self.app = Starlette(routes=routes, exception_handlers=handlers)

    async def discovery(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The OAuth server's metadata at the API's root, where RFC 8414 has clients of this issuer look for them."""
        path = "/.well-known/oauth-authorization-server"
        await self.app({**scope, "path": path, "root_path": ""}, receive, send)

    async def close(self) -> None:
        """Sends the mails that wait, for a few seconds. Requests must have ended before."""
        await self._outbox.close()
        await self._hooks.close()


async def _not_found(_: Request, __: Exception) -> Response:
    return PlainTextResponse("404 page not found\n", 404)


async def _method_not_allowed(_: Request, error: Exception) -> Response:
    headers = error.headers if isinstance(error, HTTPException) else None
    return Response(status_code=405, headers=headers)


def _admitted(verb: str, path: str, endpoint: Endpoint) -> Endpoint:
    """The endpoint behind what its route requires: the service role, a caller within the limit, an even time."""
    limit = LIMITS.get((verb, path))
    of_admin = path.startswith(FOR_ADMINS)
    pause = _EVEN_SECONDS if (verb, path) in EVENED else 0

    async def admitted(context: Context, request: Request) -> Response | errors.AuthError:
        clock = asyncio.get_running_loop().time
        ready = clock() + pause
        try:
            return await admit(context, request)
        finally:
            if pause:
                await asyncio.sleep(max(0.0, ready - clock()))

    async def admit(context: Context, request: Request) -> Response | errors.AuthError:
        if of_admin:
            await require_live_admin(context, request)
        if limit is not None:
            await context.limits.require(limit, request)
        return await endpoint(context, request)

    return admitted


def _unavailable(path: str, feature: Feature) -> Endpoint:
    async def unavailable_endpoint(context: Context, request: Request) -> Response:  # noqa: ARG001
        feature.require(context.auth)
        raise AssertionError(f"{path} has no endpoint, but its feature is on")

    return unavailable_endpoint


def _bound(
    context: Context, endpoint: Endpoint, database_error: str = "Database error"
) -> Callable[[Request], Awaitable[Response]]:
    async def bound_endpoint(request: Request) -> Response:
        try:
            response = await endpoint(context, request)
            return errors.render(request, response) if isinstance(response, errors.AuthError) else response
        except errors.AuthError as error:
            return errors.render(request, error)
        except PoolExhausted:
            return _failure(request, 503, "request_timeout", "Too many requests at once, please try again")
        except psycopg.DataError as error:
            # A value that Postgres cannot hold, such as a text with a NUL.
            return _failure(request, 400, "validation_failed", str(error).split("\n")[0])
        except psycopg.Error as error:
            _log.error("database error: %s", str(error).split("\n")[0])
            text = getattr(request.state, "database_error", database_error)
            return _failure(request, 500, "unexpected_failure", text)

    return bound_endpoint


def _failure(request: Request, status: int, code: str, message: str) -> Response:
    return errors.render(request, errors.AuthError(status, code, message))
