"""The auth service: its table of contents, and how an error becomes an answer."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

import aiosmtplib
import psycopg
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from localbase.auth import (
    admin,
    audit_log,
    callers,
    errors,
    logout,
    meta,
    oauth,
    resend,
    save_user,
    signup,
    token,
    user,
    verify,
)
from localbase.auth.context import Context
from localbase.auth.mailer import Mailer
from localbase.auth.provider import providers_of
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
    ("GET", "/user", user.read_user),
    ("PUT", "/user", user.update_user),
    ("POST", "/logout", logout.logout),
    ("POST", "/resend", resend.resend),
    ("POST", "/recover", resend.recover),
    ("POST", "/otp", resend.sign_in_by_link),
)

# For the service role alone: it is required before the endpoint is called.
ADMIN_ROUTES: tuple[tuple[str, str, Endpoint], ...] = (
    ("GET", "/admin/audit", audit_log.read_audit_log),
    ("GET", "/admin/users", admin.list_users),
    ("POST", "/admin/users", save_user.create_user),
    ("GET", "/admin/users/{user_id}", admin.read_user),
    ("PUT", "/admin/users/{user_id}", save_user.update_user),
    ("DELETE", "/admin/users/{user_id}", admin.delete_user),
)


class AuthService:
    """GoTrue's endpoints over `db`, as an ASGI application `app`."""

    def __init__(self, project: Project, db: ServicePool, clock: Clock = system_clock) -> None:
        settings = project.settings
        mailer = Mailer(project.supabase, settings.auth.email, settings.local_smtp)
        callback = f"{settings.api_url}/auth/v1/callback"
        context = Context(
            settings, db, mailer, clock, providers_of(settings.auth.external, callback), project.signing
        )
        routes = [Route(path, _bound(context, endpoint), methods=[verb]) for verb, path, endpoint in ROUTES]
        routes += [
            Route(path, _bound(context, _as_admin(endpoint)), methods=[verb])
            for verb, path, endpoint in ADMIN_ROUTES
        ]
        self.app = Starlette(routes=routes)


def _as_admin(endpoint: Endpoint) -> Endpoint:
    async def answer(context: Context, request: Request) -> Response | errors.AuthError:
        await callers.require_admin(context, request)
        return await endpoint(context, request)

    return answer


def _bound(context: Context, endpoint: Endpoint) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        try:
            response = await endpoint(context, request)
            return errors.render(request, response) if isinstance(response, errors.AuthError) else response
        except errors.AuthError as error:
            return errors.render(request, error)
        except PoolExhausted:
            return _failure(request, 503, "request_timeout", "Too many requests at once, please try again")
        except aiosmtplib.SMTPException as error:
            _log.error("a mail could not be sent: %s", error)
            return _failure(request, 500, "unexpected_failure", "Error sending confirmation email")
        except psycopg.errors.RaiseException as error:
            _log.error("a trigger refused a user: %s", error)
            return _failure(request, 500, "unexpected_failure", "Database error saving new user")
        except psycopg.DataError as error:
            # A value that Postgres cannot hold, such as a text with a NUL.
            return _failure(request, 400, "validation_failed", str(error).split("\n")[0])
        except psycopg.Error as error:
            _log.error("database error: %s", str(error).split("\n")[0])
            return _failure(request, 500, "unexpected_failure", "Database error")

    return answer


def _failure(request: Request, status: int, code: str, message: str) -> Response:
    return errors.render(request, errors.AuthError(status, code, message))
