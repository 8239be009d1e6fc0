"""Two organisations: what each user sees. `pip install supabase`, then `python demo.py`."""

from __future__ import annotations

import os
import secrets
from typing import Any, cast

from supabase import Client, create_client

# The address and the publishable key of every local project.
URL = os.environ.get("SUPABASE_URL", "http://127.0.0.1:54321")
KEY = os.environ.get("SUPABASE_KEY", "sb_publishable_ACJWlzQHlZjBrEguHvfOxg_3BJgxAaH")


def sign_up(name: str) -> tuple[Client, str]:
    """A client that is signed in with a new account, and the account's address."""
    client = create_client(URL, KEY)
    email = f"{name}-{secrets.token_hex(4)}@example.com"
    client.auth.sign_up({"email": email, "password": secrets.token_urlsafe(16)})
    return client, email


def projects(client: Client) -> list[str]:
    """The projects that this user sees: organisation and name."""
    response = client.table("projects").select("name, organisations(name)").order("name").execute()
    rows = cast("list[dict[str, Any]]", response.data)
    return [f"{row['organisations']['name']}: {row['name']}" for row in rows]


def main() -> None:
    """Makes two organisations with a project each, and takes one user into the other's."""
    (ada, _), (ben, ben_email) = sign_up("ada"), sign_up("ben")
    acme = ada.rpc("create_organisation", {"name": "Acme"}).execute().data
    globex = ben.rpc("create_organisation", {"name": "Globex"}).execute().data
    ada.table("projects").insert({"organisation_id": acme, "name": "Rocket"}).execute()
    ben.table("projects").insert({"organisation_id": globex, "name": "Reactor"}).execute()
    print("Ada sees", projects(ada))
    print("Ben sees", projects(ben))
    ada.rpc("add_member", {"organisation": acme, "email": ben_email}).execute()
    print("Ben, a member of Acme now, sees", projects(ben))


if __name__ == "__main__":
    main()
