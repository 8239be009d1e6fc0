"""Finishes what was left half done: payments, print orders, tracking, cancellations, refunds, mails about orders and
designs, pictures and print products that were being made, and the objects in Storage of pictures that are gone or have
become public. Removes print files that nobody ordered, and artwork that nothing uses, and makes those files anew that
are ordered after all. Forgets the
answers of calls after a day, and deletes accounts that were left half deleted.

Called by a scheduler every minute with the project's secret key.
"""

from __future__ import annotations

from _shared.core.callers import Caller
from _shared.endpoint import PICTURE_PATIENCE, ResponseBody, endpoint
from _shared.shop import Shop
from pydantic import BaseModel

# A model (180 s), the printer (45 s) and Storage (60 s) may take the rest of PICTURE_PATIENCE.
_MOST_SECONDS_BEFORE_A_PRINT_FILE = 100


class SweepRequest(BaseModel):
    """Nothing to say; `{}`."""


@endpoint(
    body=SweepRequest,
    caller="service",
    needs=("stripe", "printify", "replicate", "mail"),
    patience=PICTURE_PATIENCE,
)
def sweep(_request: SweepRequest, _caller: Caller, shop: Shop) -> ResponseBody:
    end = shop.clock.monotonic() + _MOST_SECONDS_BEFORE_A_PRINT_FILE
    # orders first: they are paid for
    return {
        **shop.sweep.run(),
        **shop.design_notices.send(),
        **shop.design_jobs.resume(),
        **shop.deletion.resume(),
        **shop.print_files.retire(),
        **shop.artwork_upkeep.retire(),
        **shop.stored_pictures.tidy(),
        **shop.print_files.make_again(end),
        "forgotten_calls": shop.idempotency.forget(),
    }
