"""`python -m deploy admin EMAIL`: opens the admin page to an account; an address without one is invited first."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping

from deploy import services
from deploy.accounts import find_account
from deploy.errors import CommandError
from deploy.http import Api


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("email", metavar="EMAIL", help="the admin's address")


def run(arguments: argparse.Namespace, environ: Mapping[str, str]) -> int:
    email = arguments.email.strip()
    if "@" not in email:
        raise CommandError(f"{email!r} is no e-mail address.")
    project = services.supabase(environ)
    account = find_account(project, email)
    invited = account is None
    if account is None:
        account = project.call("POST", "/auth/v1/invite", params=_redirect(environ), json={"email": email})
    if _make_admin(project, account["id"]):
        how = "was invited by mail and is" if invited else "is now"
        sys.stdout.write(f"admin: {email} {how} an admin\n")
    else:
        sys.stdout.write(f"admin: {email} is an admin, nothing to change\n")
    return 0


def _redirect(environ: Mapping[str, str]) -> dict[str, str]:
    """The invitation's link leads to the page where a password is chosen."""
    site = environ.get("SITE_URL", "").rstrip("/")
    return {"redirect_to": f"{site}/auth/reset-password"} if site else {}


def _make_admin(project: Api, id: str) -> bool:
    """False where the account was one."""
    changed = project.call(
        "PATCH",
        "/rest/v1/profiles",
        params={"id": f"eq.{id}", "is_admin": "is.false", "select": "id"},
        headers={"Prefer": "return=representation"},
        json={"is_admin": True},
    )
    if changed:
        return True
    if not project.call("GET", "/rest/v1/profiles", params={"id": f"eq.{id}", "select": "id"}):
        raise CommandError("The account has no profile: run the migrations (`supabase db push`).")
    return False
