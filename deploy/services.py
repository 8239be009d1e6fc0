"""The services of a shop, each with the address and the key that the environment names."""

from __future__ import annotations

from collections.abc import Mapping

from deploy.environment import require
from deploy.errors import CommandError
from deploy.http import Api

# as the page's build reads it, with VITE_ before it or without
_FUNCTIONS = "FUNCTIONS_URL"


def service_key_name(environ: Mapping[str, str]) -> str:
    """The variable with the project's secret key, or with the service_role key of a project that has none."""
    for name in ("SUPABASE_SECRET_KEY", "SUPABASE_SERVICE_ROLE_KEY"):
        if environ.get(name):
            return name
    raise CommandError("Set SUPABASE_SECRET_KEY in the environment or in .env (see .env.example).")


def service_key(environ: Mapping[str, str]) -> str:
    return environ[service_key_name(environ)]


def supabase(environ: Mapping[str, str], key: str | None = None) -> Api:
    """The project, with its secret key or with `key`."""
    (url,) = require(environ, "SUPABASE_URL")
    key = key or service_key(environ)
    return Api("Supabase", url.rstrip("/"), {"apikey": key, "Authorization": f"Bearer {key}"})


def functions_url(environ: Mapping[str, str]) -> str:
    """Return where browsers and vendors reach the functions: an address of their own, or the project's gateway."""
    own = environ.get(f"VITE_{_FUNCTIONS}") or environ.get(_FUNCTIONS)
    if own:
        return own.rstrip("/")
    public = environ.get("SUPABASE_PUBLIC_URL") or require(environ, "SUPABASE_URL")[0]
    return f"{public.rstrip('/')}/functions/v1"


def printify(environ: Mapping[str, str]) -> Api:
    (token,) = require(environ, "PRINTIFY_API_TOKEN")
    base = environ.get("PRINTIFY_API_BASE", "https://api.printify.com").rstrip("/")
    return Api("Printify", f"{base}/v1", {"Authorization": f"Bearer {token}", "User-Agent": "Teesmith"})


def stripe(environ: Mapping[str, str]) -> Api:
    (key,) = require(environ, "STRIPE_SECRET_KEY")
    base = environ.get("STRIPE_API_BASE", "https://api.stripe.com").rstrip("/")
    return Api("Stripe", f"{base}/v1", {"Authorization": f"Bearer {key}"})
