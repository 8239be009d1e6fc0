"""Accounts of the project, over Auth's admin API."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from deploy.http import Api

_PAGE = 200


def find_account(project: Api, email: str) -> dict[str, Any] | None:
    """The account with this address, None where there is none.

    `filter` narrows the list to addresses that contain it; the address itself is compared here.
    """
    email, page = email.lower(), 1  # as Auth stores it
    while True:
        params = {"filter": email, "page": page, "per_page": _PAGE}
        users: list[dict[str, Any]] = project.call("GET", "/auth/v1/admin/users", params=params)["users"]
        account = next((user for user in users if (user.get("email") or "").lower() == email), None)
        if account is not None or len(users) < _PAGE:
            return account
        page += 1


def account_exists(project: Api, id: str) -> bool:
    response = project.send("GET", f"/auth/v1/admin/users/{quote(id)}")
    return response.status_code == 200


def admin_ids(project: Api) -> list[str]:
    """The accounts that may open the admin page, a hundred of them at most."""
    params = {"is_admin": "eq.true", "select": "id", "order": "id", "limit": 100}
    return [row["id"] for row in project.call("GET", "/rest/v1/profiles", params=params)]
