"""The requests of the functions (`bench.large.queries`)."""

from __future__ import annotations

from bench.large.query import SHARED, Query

_COLUMNS = (
    "id,user_id,status,subtotal_cents,shipping_cents,total_cents,currency,shipping_address,payment_intent_id,"
    "printify_order_id,tracking_url,tracking_number,carrier,created_at,print_requested_at,cancel_requested_at,refund_id,"
    "refunded_cents,link_version,order_items(product_name,product_image_url,product_size,product_color,quantity,unit_price_cents,"
    "printify_product_id,printify_variant_id)"
)
# A digest as `bytea` in JSON.
_DIGEST = "\\\\x" + "0f" * 32


def _rpc(name: str, body: str, source: str = "orders/order_rpc.py") -> Query:
    return Query(f"functions: {name}", "service", SHARED + source, f"/rpc/{name}", "POST", body)


def _order(what: str, narrowed: str, source: str = "orders/orders.py") -> Query:
    return Query(
        f"functions: order {what}",
        "service",
        SHARED + source,
        f"/orders?select={_COLUMNS}&{narrowed}&limit=1",
    )


FUNCTION_QUERIES = (
    Query("functions: catalog", "service", SHARED + "catalog/catalog.py", "/product_variants?select=id,name,printify_variant_id&is_available=eq.true"),
    Query("functions: design", "service", SHARED + "designs/designs.py",
          "/designs?select=id,user_id,name,image_data,image_url,printify_product_id,selected_colors,current_version,has_back"
          "&id=eq.{popular}&limit=1"),
    Query("functions: print product is stored", "service", SHARED + "designs/designs.py",
          "/designs?id=eq.{unprinted_design}&printify_product_id=is.null&select=id", "PATCH",
          '{"printify_product_id":"product-new"}', "return=representation"),
    Query("functions: copy of the same call", "service", SHARED + "designs/stored_pictures.py",
          "/designs?select=id&id=eq.{own_design}&user_id=eq.{shopper}&limit=1"),
    _rpc("get_design_to_copy", '{"of_design":"{popular}","reader":"{shopper}","link_key":null}', "designs/stored_pictures.py"),
    Query("functions: upload is begun", "service", SHARED + "designs/stored_pictures.py", "/design_uploads?select=id", "POST",
          '{"user_id":"{shopper}"}', "return=representation"),
    _rpc("report_design", '{"of_design":"{reported}","link_key":null,"reason":"hate","words":"Look at it","sender":"'
         + _DIGEST + '","per_hour":10,"per_day":30,"shop_per_day":2000}', "moderation/reports.py"),
    _rpc("claim_design_notice", '{"lease_seconds":60}', "moderation/design_notices.py"),
    _rpc("finish_design_notice", '{"notice":"{notice}"}', "moderation/design_notices.py"),
    _rpc("fail_design_notice", '{"notice":"{notice}","problem":"no answer","most_attempts":14}', "moderation/design_notices.py"),
    _rpc("begin_design_job", '{"job":"00000000-0000-4000-8000-00000000d0b1","of_user":"{shopper}","job_kind":"text_picture",'
         '"of_design":null,"job_request":{},"job_seed":1,"per_hour":30,"per_day":100,"shop_per_day":1000,"usage_seconds":600,'
         '"lease_seconds":60}', "designs/design_job_rpc.py"),
    _rpc("claim_design_job", '{"lease_seconds":60}', "designs/design_job_rpc.py"),
    _rpc("get_design_job", '{"job":"{job}"}', "designs/design_job_rpc.py"),
    _rpc("save_design_job_step", '{"job":"{job}","of_lease":"{job}","step":"picture 1","step_value":{},"lease_seconds":60}',
         "designs/design_job_rpc.py"),
    _rpc("leave_design_job", '{"job":"{job}","of_lease":"{job}","pause_seconds":0}', "designs/design_job_rpc.py"),
    _rpc("finish_design_job", '{"job":"{job}","of_lease":"{job}","job_result":{},"object":null}', "designs/design_job_rpc.py"),
    _rpc("fail_design_job", '{"job":"{job}","of_lease":"{job}","public_error":"x","code":"x","status":502,"cause":"x"}',
         "designs/design_job_rpc.py"),
    Query("functions: picture that a row holds", "service", SHARED + "pages/link_picture.py", "/designs?select=image_data&id=eq.{popular}&limit=1"),
    _rpc("get_design_page", '{"design":"{popular}","key":null}', "pages/design_page.py"),
    _rpc("get_gallery_page", '{"most":24}', "pages/gallery_pages.py"),
    _rpc("get_creator_page", '{"creator":"{busy}","most":24}', "pages/gallery_pages.py"),
    _rpc("list_sitemaps", '{"most":50000}', "pages/sitemap.py"),
    _rpc("get_sitemap", '{"since":0,"most":50000}', "pages/sitemap.py"),
    _rpc("claim_object_tasks", '{"lease_seconds":120,"most":100}', "designs/stored_pictures.py"),
    _rpc("finish_object_tasks", '{"tasks":[1]}', "designs/stored_pictures.py"),
    _rpc("fail_object_tasks", '{"tasks":[1],"problem":"no answer"}', "designs/stored_pictures.py"),
    _rpc("retire_print_files", '{"after_days":90,"most":200}', "designs/print_files.py"),
    _rpc("claim_print_file", '{"lease_seconds":450}', "designs/print_files.py"),
    Query("functions: print file is ended", "service", SHARED + "designs/print_files.py", "/rpc/finish_object_tasks", "POST", '{"tasks":[1]}'),
    Query("functions: print file is put off", "service", SHARED + "designs/print_files.py", "/rpc/fail_object_tasks", "POST", '{"tasks":[1],"problem":"no answer"}'),
    _rpc("find_design_copy", '{"of_design":"{popular}","reader":"{busy}"}', "designs/stored_pictures.py"),
    _rpc("save_design_copy", '{"of_design":"{popular}","copy":{"user_id":"{shopper}","name":"Copy","image_data":"aGk=",'
         '"selected_colors":[]}}', "designs/stored_pictures.py"),
    Query("functions: version to copy", "service", SHARED + "designs/stored_pictures.py",
          "/design_versions?select=scene,flat_scene,review,image_url,thumbnail_url,back_url&id=eq.{popular}&limit=1"),
    Query("functions: artwork of a copy", "service", SHARED + "designs/stored_pictures.py", "/design_artwork?select=id", "POST",
          '{"user_id":"{shopper}","name":"Back","media_type":"image/png","width":9,"height":9,"bytes":9}', "return=representation"),
    Query("functions: draft", "service", SHARED + "versions/drafts.py", "/design_drafts?select=scene,revision&design_id=eq.{popular}&limit=1"),
    _rpc("artwork_bytes", '{"person":"{shopper}"}', "versions/artwork.py"),
    _rpc("begin_scene_design", '{"of_user":"{shopper}","colors":[]}', "versions/drafts.py"),
    Query("functions: artwork of a scene", "service", SHARED + "versions/artwork.py",
          "/design_artwork?select=id,user_id,media_type,width,height,review&id=in.({popular})"),
    Query("functions: artwork that was mended before", "service", SHARED + "versions/artwork.py",
          "/design_artwork?select=id&user_id=eq.{shopper}&made_from=eq.{popular}&made_by=eq.cut_out&limit=1"),
    _rpc("retire_artwork", '{"after_days":90,"most":100}', "versions/artwork_upkeep.py"),
    Query("functions: drawing that becomes artwork", "service", SHARED + "versions/artwork.py", "/rpc/get_design_job", "POST",
          '{"job":"{popular}"}'),
    Query("functions: artwork is stored", "service", SHARED + "versions/artwork.py", "/design_artwork?select=id", "POST",
          '{"user_id":"{shopper}","name":"Logo","media_type":"image/png","width":9,"height":9,"bytes":9}', "return=representation"),
    Query("functions: scene of a version", "service", SHARED + "versions/scene_versions.py",
          "/design_versions?select=design_id,scene&id=eq.{popular}&limit=1"),
    _rpc("next_version_number", '{"of_design":"{popular}"}', "versions/scene_versions.py"),
    _rpc("save_design_version", '{"of_design":"{popular}","version":{"id":"00000000-0000-4000-8000-00000000d0b2","number":2,'
         '"scene":{"version":1,"front":[],"back":[]},"has_back":false,"review":"not_needed","printify_product_id":"product-2",'
         '"print_files":[],"first_scene":null}}', "versions/scene_versions.py"),
    Query("functions: thumbnail of a design", "service", SHARED + "versions/shown.py", "/designs?select=thumbnail_url&id=eq.{popular}&limit=1"),
    Query("functions: colour of a shirt", "service", SHARED + "versions/shown.py", "/product_variants?select=id,color_hex&id=in.({popular})"),
    Query("functions: cameras of the back", "service", SHARED + "designs/back_views.py", "/product_variants?select=back_view"),
    Query("functions: camera of the back is stored", "service", SHARED + "designs/back_views.py",
          "/product_variants?back_view=is.null&select=id", "PATCH", '{"back_view":92571}', "return=representation"),
    _rpc("find_print_files", '{"product":"product-1"}', "orders/print_sheets.py"),
    Query("functions: is an admin", "service", SHARED + "core/callers.py", "/profiles?select=is_admin&id=eq.{shopper}&limit=1"),
    _order("by id", "id=eq.{own_order}"),
    _order("by payment", "payment_intent_id=eq.{intent}"),
    _order("by print order", "printify_order_id=eq.{print_id}"),
    _order("by cart", "user_id=eq.{busy}&cart_key=eq.none&status=eq.pending&cancel_requested_at=is.null"),
    Query("functions: payment is stored", "service", SHARED + "orders/orders.py",
          "/orders?id=eq.{pending_order}&status=eq.pending&select=id", "PATCH", '{"payment_intent_id":"pi_new"}', "return=representation"),
    _rpc("place_order",
         '{"buyer":"{shopper}","cart_key":"bench","shipping_address":"{\\"country\\":\\"DE\\"}","subtotal_cents":1990,'
         '"shipping_cents":590,"items":[{"design_id":"{own_printed_design}","product_variant_id":"{variant}","quantity":1,'
         '"unit_price_cents":1990,"product_name":"Dragon","product_size":"XL","product_color":"Black","printify_product_id":"{own_product}",'
         '"printify_variant_id":12127}]}', "orders/orders.py"),
    Query("functions: vendor event", "service", SHARED + "orders/order_rpc.py", "/vendor_events?select=id&vendor=eq.stripe&id=eq.evt_7&limit=1"),
    Query("functions: open job", "service", SHARED + "orders/order_rpc.py",
          "/order_jobs?select=kind&order_id=eq.{pending_order}&kind=eq.settle&done_at=is.null&limit=1"),
    _rpc("claim_job", '{"lease_seconds":60}'),
    _rpc("claim_message", '{"lease_seconds":60}'),
    Query("functions: claim_message by name", "service", SHARED + "orders/order_rpc.py", "/rpc/claim_message", "POST",
          '{"lease_seconds":60,"of_order":"{own_order}","message_kind":"confirmation"}'),
    _rpc("finish_job", '{"of_order":"{pending_order}","job_kind":"settle","again_seconds":60}'),
    _rpc("fail_job", '{"of_order":"{pending_order}","job_kind":"settle","problem":"no answer","most_attempts":14}'),
    _rpc("finish_message", '{"message":"{message}"}'),
    _rpc("fail_message", '{"message":"{message}","problem":"no answer","most_attempts":14}'),
    _rpc("settle_order", '{"of_order":"{pending_order}","intent":"{pending_intent}","received_cents":1,"received_currency":"usd"}'),
    _rpc("cancel_unpaid_order", '{"of_order":"{pending_order}","reason":"abandoned"}'),
    _rpc("begin_printing", '{"of_order":"{paid_order}"}'),
    _rpc("finish_printing", '{"of_order":"{paid_order}","print_order":"print-new"}'),
    _rpc("record_progress", '{"of_order":"{printed_order}","stage":"delivered"}'),
    _rpc("request_cancellation", '{"of_order":"{paid_order}","by_actor":null,"reason":"changed my mind"}'),
    _rpc("withdraw_cancellation", '{"of_order":"{paid_order}","reason":"too late"}'),
    _rpc("cancel_order", '{"of_order":"{paid_order}","print_is_stopped":true}'),
    _rpc("request_refund", '{"of_order":"{printed_order}","by_actor":null,"reason":"misprinted"}'),
    _rpc("record_money", '{"of_order":"{printed_order}","read_version":0,"refund":"re_new","refunded":100}'),
    _rpc("flag_order", '{"of_order":"{printed_order}","reason":"disputed","about":"bench"}'),
    _rpc("note_order_event", '{"of_order":"{printed_order}","event_kind":"bench","about":{}}'),
    _rpc("note_vendor_event", '{"from_vendor":"stripe","event_id":"evt_new","event_type":"x","of_order":"{printed_order}"}'),
    _rpc("reserve_usage", '{"of_user":"{shopper}","usage_kind":"picture","per_hour":20,"per_day":60,"shop_per_day":2000,"lease_seconds":60}',
         "core/usage.py"),
    _rpc("complete_usage", '{"reservation":"{popular}"}', "core/usage.py"),
    _rpc("release_usage", '{"reservation":"{popular}"}', "core/usage.py"),
    _rpc("get_tracked_order", '{"of_order":"{own_order}","version":1,"valid_days":3650}', "orders/tracking.py"),
    _rpc("record_sweep", '{"figures":{}}'),
    _rpc("get_job_figures", "{}", "metrics.py"),
    _rpc("begin_money_read", '{"lease_seconds":120}', "orders/money_check.py"),
    _rpc("save_money_page", '{"read_version":0,"events":[{"event":"evt_new","intent":"pi_new","captured":100}],"newest_event":1,'
         '"last_event":null,"is_end":true,"next_seconds":300}', "orders/money_check.py"),
    _rpc("claim_money_check", '{"lease_seconds":120}', "orders/money_check.py"),
    _rpc("compare_payments", '{"payments":[{"intent":"pi_new","named_order":"{printed_order}","captured":100,"refunded":0,"lost":0,'
         '"disputed":false}]}', "orders/money_check.py"),
    _rpc("finish_money_check", '{"intent":"pi_new","of_requests":1}', "orders/money_check.py"),
    _rpc("fail_money_check", '{"intent":"pi_new","of_requests":1,"why":"bench","is_final":false,"was_mailed":false}',
         "orders/money_check.py"),
    _rpc("finish_total_check", '{"of_kind":"shop"}', "orders/total_checks.py"),
    _rpc("begin_call", f'{{"call":"{_DIGEST}","holder":"{_DIGEST}","content":"{_DIGEST}","lease_seconds":120,"most":1000}}',
         "core/idempotency.py"),
    _rpc("finish_call", f'{{"call":"{_DIGEST}","lease":"{{popular}}","answer":null}}', "core/idempotency.py"),
    _rpc("forget_calls", "{}", "core/idempotency.py"),
    _rpc("list_unfinished_orders", '{"person":"{busy}"}', "accounts/deletion.py"),
    _rpc("close_account", '{"person":"{shopper}"}', "accounts/deletion.py"),
    _rpc("list_closing_accounts", '{"most":10}', "accounts/deletion.py"),
    Query("functions: unpaid order of an account that ends", "service", SHARED + "accounts/deletion.py",
          "/rpc/cancel_unpaid_order", "POST", '{"of_order":"{pending_order}","reason":"account deleted"}'),
    _rpc("export_account", '{"person":"{shopper}"}', "accounts/export.py"),
    _rpc("export_scenes", '{"person":"{shopper}"}', "accounts/export.py"),
    Query("functions: picture for a copy", "service", SHARED + "accounts/export.py",
          "/designs?select=image_data&id=eq.{own_design}&limit=1"),
)  # fmt: skip
