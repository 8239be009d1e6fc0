"""What an order has printed, for admins: each side's file, and its centimetres on the sizes that were bought."""

from __future__ import annotations

from uuid import UUID

from _shared.core.callers import Caller
from _shared.endpoint import ResponseBody, endpoint
from _shared.shop import Shop
from pydantic import BaseModel


class FilesRequest(BaseModel):
    """Any order."""

    order_id: UUID


@endpoint(body=FilesRequest, caller="admin", needs=("printify",), reads=True)
def list_print_files(request: FilesRequest, _caller: Caller, shop: Shop) -> ResponseBody:
    sheets = shop.print_sheets.of(shop.orders.get(str(request.order_id)))
    return {
        "files": [
            {
                "name": sheet.name,
                "side": sheet.side,
                "address": sheet.address,
                "sizes": [
                    {"shirt": size.shirt, "width_cm": size.width_cm, "height_cm": size.height_cm}
                    for size in sheet.sizes
                ],
            }
            for sheet in sheets
        ]
    }
