"""Deletes the caller's account, once its password or a mailed code proves that it is the person."""

from __future__ import annotations

from typing import Annotated

from _shared.core.callers import Caller
from _shared.endpoint import ResponseBody, endpoint
from _shared.shop import Shop
from pydantic import BaseModel, StringConstraints, model_validator

# bcrypt takes 72 bytes; more is nobody's password
_Password = Annotated[str, StringConstraints(min_length=1, max_length=200)]
_Code = Annotated[str, StringConstraints(pattern=r"^\d{6,10}$")]


class DeleteRequest(BaseModel):
    """The password; or, for accounts without one, the code of a mail with which one signs in."""

    password: _Password | None = None
    code: _Code | None = None

    @model_validator(mode="after")
    def _one_proof(self) -> DeleteRequest:
        if (self.password is None) == (self.code is None):
            raise ValueError("send the password or the code")
        return self


@endpoint(body=DeleteRequest, caller="user", needs=("stripe",))
def delete_account(request: DeleteRequest, caller: Caller, shop: Shop) -> ResponseBody:
    shop.deletion.delete(shop.callers.person(caller), request.password, request.code)
    return {"success": True}
