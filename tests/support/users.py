"""Users for tests: verified, created through the admin API, signed in through the public one."""

from __future__ import annotations

import itertools
import os
from dataclasses import dataclass

from supabase import Client, ClientOptions, create_client
from tests.support.stacks import Stack

PASSWORD = "a long enough password"
# Of PASSWORD, at bcrypt's lowest cost: making a user and signing in take a fiftieth of the processor time.
_PASSWORD_HASH = "$2b$04$.1YpBdRTz1wzMOA111K4Qu4CFlgNVimQHymtnlmoek99hjAvAXf1u"
_numbers = itertools.count(1)


@dataclass(frozen=True, slots=True)
class Person:
    """A user, the access token, and the official client acting as this user."""

    id: str
    email: str
    token: str
    client: Client


class Users:
    """Makes and signs in users of one stack."""

    def __init__(self, stack: Stack) -> None:
        self._stack = stack
        self.service = connect(stack, stack.secret_key)
        self.anonymous = connect(stack, stack.publishable_key)

    def new(self, name: str = "person", *, admin: bool = False) -> Person:
        """A fresh, verified user; with `admin` an admin."""
        email = f"{name}-{os.getpid()}-{next(_numbers)}@example.com"
        made = self.service.auth.admin.create_user(
            {"email": email, "password_hash": _PASSWORD_HASH, "email_confirm": True}
        )
        if admin:
            self.service.table("profiles").update({"is_admin": True}).eq("id", made.user.id).execute()
        return self.sign_in(email, PASSWORD)

    def sign_in(self, email: str, password: str) -> Person:
        """An existing user."""
        client = connect(self._stack, self._stack.publishable_key)
        response = client.auth.sign_in_with_password({"email": email, "password": password})
        assert response.session is not None
        assert response.user is not None
        return Person(response.user.id, email, response.session.access_token, client)


def connect(stack: Stack, key: str) -> Client:
    """The official client with `key`."""
    return create_client(stack.api_url, key, ClientOptions(auto_refresh_token=False, persist_session=False))
