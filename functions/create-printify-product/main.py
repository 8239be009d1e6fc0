"""Makes a design's print file and print product, once; then it can be previewed on a shirt and ordered.

`warnings` says in sentences what a shopper should know about how it will print.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import Annotated
from uuid import UUID

from _shared.core.callers import Caller
from _shared.endpoint import LARGEST_PICTURE_BODY, Answer, endpoint
from _shared.shop import Shop
from pydantic import BaseModel, Field


class ProductRequest(BaseModel):
    """`imageBase64` counts only for designs without a stored picture."""

    design_id: Annotated[UUID, Field(alias="designId")]
    image: Annotated[str, Field(alias="imageBase64")] = ""
    colors: Annotated[list[UUID], Field(alias="selectedColors", min_length=1, max_length=50)]


@endpoint(body=ProductRequest, caller="user", needs=("printify", "replicate"), largest=LARGEST_PICTURE_BODY)
def create_printify_product(request: ProductRequest, caller: Caller, shop: Shop) -> Answer:
    design = shop.designs.owned(caller, str(request.design_id))
    # a design that has its product costs nothing: it is only looked up
    spending = nullcontext() if design.printify_product_id else shop.usage.reserve(caller, "print_product")
    with spending:
        product = shop.print_products.create_for(
            design, request.image, [str(color) for color in request.colors]
        )
    return {
        "success": True,
        "printifyProductId": product.id,
        "printDpi": product.dpi or None,
        "warnings": list(product.warnings),
    }
