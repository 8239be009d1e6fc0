"""The parts of the shop that each function uses, for tests of bundles."""

from __future__ import annotations

# The parts of `Shop` by slug: reading them imports everything that the function needs.
TOUCHES = {
    "lookup-zip-code": "idempotency zip_codes",
    "generate-design-image": "callers design_jobs image_generator usage",
    "edit-design-image": "callers design_jobs image_generator usage",
    "create-printify-product": "callers design_jobs designs print_products usage",
    "create-payment-intent": "callers orders payments",
    "finish-payment": "callers idempotency orders payments",
    "update-order-status": "callers orders payments",
    "create-printify-order": "callers orders fulfilment",
    "cancel-order": "callers orders cancellation",
    "refund-order": "callers orders refunds",
    "stripe-webhook": "stripe_events",
    "printify-webhook": "printify_events payments",
    "sweep": "callers deletion design_jobs design_notices sweep",
    "test-webhook": "callers safe_http",
    "send-order-webhook": "callers orders notifications",
    "send-tracking-webhook": "callers orders notifications",
    "import-design": "callers designs",
    "add-artwork": "artworks callers usage",
    "begin-design": "callers drafts",
    "finish-scene": "callers design_jobs designs drafts usage",
    "design-page": "pages",
    "check-admin-access": "callers",
    "check-print": "callers design_check designs",
    "list-print-files": "callers orders print_sheets",
    "mend-picture": "callers design_check designs usage",
    "delete-account": "callers deletion",
    "export-account": "account_export callers usage",
    "get-order-status": "tracking",
    "report-design": "reports",
}
# In a process of its own: imports a function's main from argv[1] and `_shared` from argv[2], reads the parts named in
# argv[3], and prints which modules of argv[4] that has loaded.
PROBE = """
import sys
sys.path[:0] = [sys.argv[1], sys.argv[2]]
import main
from _shared.core.settings import read_settings
from _shared.shop import Shop
shop = Shop(read_settings({"SUPABASE_URL": "http://127.0.0.1:9", "SUPABASE_SERVICE_ROLE_KEY": "key"}, []))
for name in sys.argv[3].split():
    getattr(shop, name)
if "_shared.clients.replicate_api" in sys.modules:
    shop.replicate._client()  # imported when a model is called
print(" ".join(m for m in sys.argv[4].split() if m in sys.modules))
"""
