"""The printer's webhooks: signed, perhaps twice, late or out of order. An event only says where to look.

An event is acknowledged once its work is committed, or when it has no work for us. One that matches no order of ours
is not (404), so that it comes again when the order is here.
"""

from __future__ import annotations

from pydantic import AwareDatetime

from _shared.hooks import EventId, Part, Signature, attempt, refuse_future
from _shared.ledger import Ledger
from _shared.notices import Notices
from _shared.printing import Printing


class _Resource(Part):
    id: str
    type: str = ""


class PrintifyEvent(Part):
    """Printify's webhook body."""

    id: EventId
    type: str
    created_at: AwareDatetime | None = None
    resource: _Resource


class PrintifyHook:
    """order:* events. Their contents do not count: the order is read anew from the printer."""

    def __init__(self, seal: Signature, ledger: Ledger, printing: Printing, notices: Notices) -> None:
        self._seal = seal
        self._ledger = ledger
        self._printing = printing
        self._notices = notices

    def receive(self, body: bytes, signature: str) -> None:
        self._seal.check_signature(body, signature)
        event = PrintifyEvent.model_validate_json(body)
        if event.created_at:
            refuse_future(event.created_at)
        if not event.type.startswith("order:") or self._ledger.has_seen("printify", event.id):
            return
        order = self._printing.heard(event.resource.id)
        self._ledger.mark_seen("printify", event.id, event.type, order.id)
        attempt("tell of", order, lambda: self._notices.flush(order, "shipped", "order.shipped"))
