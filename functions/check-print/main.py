"""Checks a design as it is drawn so far, on both sides and on a shirt's colour, before it is printed."""

from __future__ import annotations

import base64
import io
from dataclasses import asdict
from typing import Annotated
from uuid import UUID

from _shared.core.callers import Caller
from _shared.endpoint import ResponseBody, endpoint
from _shared.shop import Shop
from PIL import Image
from pydantic import BaseModel, Field


class CheckRequest(BaseModel):
    """`color` is a variant of the shirt's colour, as in the page's address."""

    design_id: Annotated[UUID, Field(alias="designId")]
    color: UUID


@endpoint(body=CheckRequest, caller="user", needs=("printify",), reads=True)
def check_print(request: CheckRequest, caller: Caller, shop: Shop) -> ResponseBody:
    design = shop.designs.owned(caller, str(request.design_id))
    # no vendor is paid, but both sides are drawn at print size
    with shop.usage.reserve(shop.callers.person(caller), "print_check"):
        checked = shop.design_check.check(design, str(request.color))
    return {
        "success": True,
        "findings": [{"side": side, **asdict(finding)} for side, finding in checked.findings],
        "proofs": [{"side": side, "picture": _address(proof)} for side, proof in checked.proofs.items()],
    }


def _address(proof: Image.Image) -> str:
    out = io.BytesIO()
    proof.save(out, "WEBP", quality=85)
    return "data:image/webp;base64," + base64.b64encode(out.getvalue()).decode("ascii")
