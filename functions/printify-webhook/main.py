"""The printer announces a change of a print order: processing, shipped, delivered, or trouble.

Called by Printify, which signs the raw body; register `{SUPABASE_URL}/functions/v1/printify-webhook` with the secret
for the order:* topics.
"""

from __future__ import annotations

from collections.abc import Mapping

from _shared.endpoint import ResponseBody, webhook
from _shared.shop import Shop


@webhook(needs=("printify", "printify_events", "stripe", "mail"))
def printify_webhook(body: bytes, headers: Mapping[str, str], shop: Shop) -> ResponseBody:
    shop.printify_events.receive(body, headers.get("x-pfy-signature", ""))
    return {"received": True}
