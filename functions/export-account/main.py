"""Gives the caller a copy of everything that the shop has of them: a ZIP of account.json and the pictures."""

from __future__ import annotations

from _shared.core.callers import Caller
from _shared.endpoint import Download, endpoint
from _shared.shop import Shop
from pydantic import BaseModel


class ExportRequest(BaseModel):
    """Nothing to say; `{}`."""


@endpoint(body=ExportRequest, caller="user", reads=True)
def export_account(_request: ExportRequest, caller: Caller, shop: Shop) -> Download:
    with shop.usage.reserve(shop.callers.person(caller), "export"):
        return Download("teesmith-account.zip", shop.account_export.archive(caller))
