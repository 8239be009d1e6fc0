"""Makes a design's print file and print product, once; then it can be previewed on a shirt and ordered.

`warnings` says in sentences what a shopper should know about how it will print.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import Annotated
from uuid import UUID

from _shared.core.callers import Caller
from _shared.designs.images import decode_picture
from _shared.designs.print_products import PrintProduct
from _shared.endpoint import LARGEST_PICTURE_BODY, PICTURE_PATIENCE, ResponseBody, endpoint
from _shared.shop import Shop
from pydantic import BaseModel, Field


class ProductRequest(BaseModel):
    """`imageBase64` counts only for designs without a stored picture. With a `job_id` the product is made as a job."""

    design_id: Annotated[UUID, Field(alias="designId")]
    image: Annotated[str, Field(alias="imageBase64")] = ""
    colors: Annotated[list[UUID], Field(alias="selectedColors", min_length=1, max_length=50)]
    job_id: UUID | None = None


@endpoint(
    body=ProductRequest,
    caller="user",
    needs=("printify", "replicate"),
    largest=LARGEST_PICTURE_BODY,
    patience=PICTURE_PATIENCE,
)
def create_printify_product(request: ProductRequest, caller: Caller, shop: Shop) -> ResponseBody:
    design = shop.designs.owned(caller, str(request.design_id))
    # the picture that was sent counts where the design has none
    image = None if design.is_drawn else decode_picture(request.image)
    colors = [str(color) for color in request.colors]
    job_id = request.job_id or caller.call_id
    # a repetition finds the design with its product, and the job that says how it prints
    if job_id and (not design.printify_product_id or shop.design_jobs.is_known(job_id)):
        return _response_body(shop.design_jobs.print_product(caller, job_id, design.id, image, colors))
    # a design that has its product costs nothing: it is only looked up
    spending = nullcontext() if design.printify_product_id else shop.usage.reserve(caller, "print_product")
    with spending:
        return _response_body(shop.print_products.create_for(design, image, colors))


def _response_body(product: PrintProduct) -> ResponseBody:
    return {
        "success": True,
        "printifyProductId": product.id,
        "printDpi": product.dpi or None,
        "warnings": list(product.warnings),
    }
