"""Posts an admin's test data to an address of theirs. Never into a private network, unless configured."""

from __future__ import annotations

from typing import Annotated, Any

from _shared.core.callers import Caller
from _shared.endpoint import ResponseBody, endpoint
from _shared.shop import Shop
from pydantic import BaseModel, StringConstraints


class WebhookTest(BaseModel):
    """`payload` is any JSON."""

    url: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=2000)]
    payload: Any


@endpoint(body=WebhookTest, caller="admin", largest=256 * 1024)
def test_webhook(request: WebhookTest, _caller: Caller, shop: Shop) -> ResponseBody:
    response = shop.safe_http.post(request.url, request.payload)
    return {"status": response.status, "ok": 200 <= response.status < 300, "body": response.body}
