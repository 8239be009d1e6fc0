"""City and state of a US ZIP code, for the checkout form. Open to everyone."""

from __future__ import annotations

from typing import Annotated

from _shared.core.callers import Caller
from _shared.endpoint import ResponseBody, endpoint
from _shared.shop import Shop
from pydantic import BaseModel, Field, StringConstraints


class ZipQuestion(BaseModel):
    """Five digits."""

    zip_code: Annotated[
        str, StringConstraints(strip_whitespace=True, pattern=r"^[0-9]{5}$"), Field(alias="zipCode")
    ]


@endpoint(body=ZipQuestion, caller="anyone")
def lookup_zip_code(request: ZipQuestion, _caller: Caller, shop: Shop) -> ResponseBody:
    place = shop.zip_codes.place(request.zip_code)
    if place is None:
        # an answer, not a failure: the form says so next to the field
        return {"error": "ZIP code not found"}
    return {"city": place.city, "state": place.state}
