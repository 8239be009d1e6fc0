"""Tells whether the caller may open the admin page: by their profile's flag, or by an address in ADMIN_EMAILS.

It answers about the caller alone, and it guards no data: that is the flag's matter, in SQL and in the other functions.
"""

from __future__ import annotations

from _shared.core.callers import Caller, may_open_admin
from _shared.endpoint import ResponseBody, endpoint
from _shared.shop import Shop
from pydantic import BaseModel


class AccessRequest(BaseModel):
    """The request has no body: only the caller counts."""


@endpoint(body=AccessRequest, caller="user")
def check_admin_access(_request: AccessRequest, caller: Caller, shop: Shop) -> ResponseBody:
    return {"allowed": may_open_admin(caller, shop.settings.admin_emails)}
