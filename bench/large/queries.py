"""Every query that the web client and the functions make: as whom, and which file makes it.

A path's `{names}` are subjects of the database (`bench.large.subjects`). A test fails while a file makes a query that has no
row here.
"""

from __future__ import annotations

from bench.large.function_queries import FUNCTION_QUERIES
from bench.large.query import SPECIFIED, Query

_WEB = "web/src/"
_GALLERY = _WEB + "features/discover/api/list-gallery.ts"
_CARDS = _WEB + "shop/gallery/gallery-items.ts"
_SHARE = _WEB + "features/shared-design/api/get-shared-design.ts"
_ADMIN = _WEB + "features/admin/api/"
_ADMIN_DESIGNS = _WEB + "features/admin/designs-api/"
_DASHBOARD = _WEB + "features/dashboard/api/"
_CARD = (
    "id,user_id,created_at,like_count,"
    "designs!inner(id,name,has_thumbnail,thumbnail_url,printify_product_id,selected_colors,created_at)"
)
_NEWEST = f"/public_designs?select={_CARD}&order=created_at.desc,id.asc&limit=25"
_MOST_LIKED = (
    f"/rpc/most_liked_designs?select={_CARD}&page_size=25&order=like_count.desc,created_at.desc,id.desc"
)


def _search(word: str, cursor: str = "") -> str:
    return f"/rpc/search_public_designs?search={word}{cursor}&page_size=25&select={_CARD}&order=created_at.desc,id.asc&limit=25"


_AFTER = "&published_before={deep_time}&after_id={deep_id}"
_GALLERY_QUERIES = (
    Query("gallery: first page", "visitor", _GALLERY, _NEWEST),
    Query("gallery: first page, signed in", "shopper", _GALLERY, _NEWEST),
    Query(
        "gallery: page 1,000", "visitor", _GALLERY,
        _NEWEST + "&created_at=lte.{deep_time}&or=(created_at.lt.{deep_time},id.gt.{deep_id})",
    ),
    Query("gallery: most liked", "visitor", _GALLERY, _MOST_LIKED),
    Query(
        "gallery: most liked, page 1,000", "visitor", _GALLERY,
        _MOST_LIKED + "&most_likes=0&published_before={deep_time}&before_id={deep_id}",
    ),
    Query(
        "creator: first page", "visitor", _WEB + "features/discover/api/list-creator-designs.ts",
        _NEWEST + "&user_id=eq.{busy}",
    ),
    Query("gallery: total", "visitor", _GALLERY, "/rpc/count_public_designs?search="),
    Query("gallery: names of 24 creators", "visitor", _CARDS, "/profiles?select=id,public_name&id=in.({creators})"),
    Query("gallery: names of 24 creators, signed in", "shopper", _CARDS, "/profiles?select=id,public_name&id=in.({creators})"),
    *(
        query
        for what, word in (
            ("dragon", "dragon"), ("one letter", "a"), ("two letters", "ra"), ("two rare letters", "qk"), ("a sign", "%C3%9F"),
            ("a rare word", "{rare_word}"), ("no such word", "xyzzyx"), ("two words", "dragon%20in"),
        )
        for query in (
            Query(f"search: {what}", "visitor", _GALLERY, _search(word)),
            Query(f"search: {what}, total", "visitor", _GALLERY, f"/rpc/count_public_designs?search={word}"),
        )
    ),
    Query("search: dragon, signed in", "shopper", _GALLERY, _search("dragon")),
    Query("search: dragon, deep", "visitor", _GALLERY, _search("dragon", _AFTER)),
    Query("search: only old designs have it", "visitor", _GALLERY, _search("y2k")),
    Query(
        "likes of mine among 24", "busy", _WEB + "shop/gallery/list-my-likes.ts",
        "/design_likes?select=design_id&user_id=eq.{busy}&design_id=in.({designs})",
    ),
    Query(
        "like", "shopper", _WEB + "shop/gallery/set-like.ts", "/design_likes", "POST",
        '{"design_id":"{unliked}","user_id":"{shopper}"}', "return=minimal",
    ),
    Query(
        "unlike", "busy", _WEB + "shop/gallery/set-like.ts",
        "/design_likes?design_id=eq.{liked}&user_id=eq.{busy}", "DELETE", "", "return=minimal",
    ),
)  # fmt: skip
_DESIGN_QUERIES = (
    Query("shared design", "visitor", _WEB + "shop/designs/find-shared-design.ts",
          "/rpc/get_shared_design?id={popular}&select=id,name,image_url,selected_colors,created_at,is_public,published_at,creator_name,is_owner"),
    Query("shared design: product", "visitor", _SHARE, "/designs?select=printify_product_id&id=eq.{popular}"),
    Query("shared design: publication", "visitor", _SHARE, "/public_designs?select=like_count,user_id&design_id=eq.{popular}"),
    Query("more like this", "visitor", _WEB + "features/shared-design/api/list-related-designs.ts",
          f"/rpc/related_designs?design={{popular}}&page_size=4&select={_CARD}"),
    Query("thumbnail", "visitor", _WEB + "shop/designs/picture-url.ts", "/rpc/design_thumbnail?design={popular}"),
    Query("picture", "visitor", _WEB + "shop/designs/picture-url.ts", "/rpc/design_picture?design={popular}"),
    Query("design", "shopper", _WEB + "shop/designs/get-design.ts",
          "/designs?select=id,name,image_data,thumbnail_data,image_url,printify_product_id,selected_colors,user_id,has_back,link_key,takedown_reason&id=eq.{own_design}"),
    Query("save a design", "shopper", _WEB + "features/design/api/insert-design.ts", "/designs?select=id", "POST",
          '{"user_id":"{shopper}","name":"Sleepy dragon","image_data":"aGk=","thumbnail_data":"aGk=","selected_colors":[]}',
          "return=representation"),
    Query("keep an idea", "shopper", _WEB + "features/design/api/keep-idea.ts", "/rpc/keep_idea", "POST",
          '{"design":"{own_design}","job":"{job}"}'),
    Query("begin an upload", "shopper", _WEB + "features/design/api/begin-upload.ts", "/design_uploads?select=id", "POST",
          '{"user_id":"{shopper}"}', "return=representation"),
    Query("a job", "shopper", _WEB + "shop/designs/design-jobs.ts",
          "/design_jobs?select=id,kind,state,design_id,request,result,result_path,error,error_code,created_at&id=eq.{job}"),
    Query("the job of a design", "shopper", _WEB + "shop/designs/design-jobs.ts",
          "/design_jobs?select=id,kind,state,design_id,request,result,result_path,error,error_code,created_at&design_id=eq.{own_public_design}"
          "&order=created_at.desc&limit=1"),
    Query("catalog", "visitor", _WEB + "shop/catalog/get-product-variants.ts",
          "/product_variants?select=id,name,color_hex,printify_variant_id,is_available,back_view&order=name.asc"),
    Query("my designs: first page with count", "busy", _DASHBOARD + "list-designs.ts",
          "/designs?select=id,name,thumbnail_data,thumbnail_url,printify_product_id,created_at,link_key,takedown_reason,public_designs(id)&user_id=eq.{busy}"
          "&order=created_at.desc,id.asc&limit=7", prefer="count=exact"),
    Query("my designs: ids of the last page", "busy", _DASHBOARD + "list-designs.ts",
          "/designs?select=id&user_id=eq.{busy}&order=created_at.desc,id.asc&offset=4000&limit=7", prefer="count=exact"),
    Query("my designs: the last page", "busy", _DASHBOARD + "list-designs.ts",
          "/designs?select=id,name,thumbnail_data,thumbnail_url,printify_product_id,created_at,link_key,takedown_reason,public_designs(id)&id=in.({designs})"
          "&user_id=eq.{busy}&order=created_at.desc,id.asc"),
    Query("end a link", "shopper", _WEB + "shop/designs/end-design-link.ts", "/rpc/end_design_link", "POST",
          '{"design":"{own_private_design}"}'),
    Query("the key of a link", "shopper", _WEB + "shop/designs/link-key.ts", "/designs?select=link_key,takedown_reason&id=eq.{own_private_design}"),
    Query("rename", "shopper", _DASHBOARD + "rename-design.ts", "/designs?id=eq.{own_public_design}", "PATCH",
          '{"name":"Renamed","updated_at":"2026-01-01T00:00:00Z"}', "return=minimal"),
    Query("delete a design", "busy", _DASHBOARD + "delete-design.ts", "/designs?id=eq.{own_liked_design}", "DELETE", "",
          "return=minimal"),
    Query("public name", "shopper", _DASHBOARD + "publish-design.ts", "/profiles?id=eq.{shopper}", "PATCH",
          '{"public_name":"Inky"}', "return=minimal"),
    Query("publish", "shopper", _DASHBOARD + "publish-design.ts", "/public_designs?select=id,designs(thumbnail_url)", "POST",
          '{"design_id":"{own_private_design}","user_id":"{shopper}"}', "return=representation"),
    Query("ask for a review", "shopper", _DASHBOARD + "ask-for-review.ts", "/rpc/ask_for_review", "POST",
          '{"design":"{own_private_design}"}'),
    Query("unpublish", "shopper", _DASHBOARD + "unpublish-design.ts", "/public_designs?design_id=eq.{own_public_design}", "DELETE",
          "", "return=minimal"),
)  # fmt: skip
_PERSON_QUERIES = (
    Query("profile", "shopper", _WEB + "lib/session/get-profile.ts",
          "/profiles?select=id,username,name,is_admin,public_name&id=eq.{shopper}"),
    Query("profile is saved", "shopper", _WEB + "features/profile/api/update-profile.ts",
          "/profiles?id=eq.{shopper}&select=id", "PATCH", '{"username":"ada","name":"Ada"}', "return=representation"),
    Query("has this account a password", "shopper", _WEB + "features/profile/api/has-password.ts", "/rpc/has_password"),
    Query("sign-in is recorded", "shopper", _WEB + "lib/session/record-sign-in.ts", "/user_sessions", "POST",
          '{"user_id":"{shopper}","login_at":"2026-11-20T10:00:00Z","user_agent":"Firefox"}', "return=minimal"),
    Query("addresses", "busy", _WEB + "features/checkout/api/list-addresses.ts",
          "/user_addresses?select=id,first_name,last_name,email,phone_country_code,phone,country,region,address1,address2,city,zip,"
          "is_default&user_id=eq.{busy}&order=is_default.desc,created_at.desc&limit=20"),
    Query("save an address", "shopper", _WEB + "features/checkout/api/save-address.ts", "/user_addresses?select=id", "POST",
          '{"user_id":"{shopper}","first_name":"A","last_name":"B","email":"a@b.example","phone_country_code":"+1","phone":"5",'
          '"country":"US","address1":"1 Main","city":"LA","zip":"90210","is_default":false}', "return=representation"),
    Query("my orders", "busy", _DASHBOARD + "list-orders.ts",
          "/orders?select=id,total,status,created_at,refunded_cents&user_id=eq.{busy}&order=created_at.desc,id.asc&limit=51"),
    Query("my order", "busy", _WEB + "shop/orders/get-order.ts",
          "/orders?select=id,total,total_cents,shipping_cents,status,created_at,paid_at,refunded_cents,refunded_at,lost_cents,held_at,tracking_url,"
          "tracking_number,carrier,shipping_address,printify_order_id,order_items(id,design_id,product_variant_id,printify_product_id,"
          "printify_variant_id,quantity,unit_price,product_name,product_image_url,product_size,product_color)"
          "&id=eq.{own_order}&user_id=eq.{busy}"),
    Query("my order's progress", "busy", _WEB + "features/order-details/api/get-order-progress.ts",
          "/rpc/get_order_progress?of_order={own_order}"),
    Query("is this tracked order mine", "busy", _WEB + "features/order-tracking/api/find-own-order.ts",
          "/orders?select=id&id=eq.{own_order}&user_id=eq.{busy}"),
)  # fmt: skip
_ADMIN_QUERIES = (
    *(
        Query(f"admin: users by {sort}", "admin", _ADMIN + "get-user-analytics.ts",
              f"/rpc/get_user_analytics?sort={sort}&role=all&search=&page_size=50")
        for sort in ("created_at", "created_at_asc", "name", "name_desc", "total_orders", "total_spent", "total_designs", "total_sessions")
    ),
    Query("admin: users called a", "admin", _ADMIN + "get-user-analytics.ts",
          "/rpc/get_user_analytics?sort=total_spent&role=user&search=a&page_size=50"),
    Query("admin: users by a rare name", "admin", _ADMIN + "get-user-analytics.ts",
          "/rpc/get_user_analytics?sort=name&role=all&search={rare_name}&page_size=50"),
    Query("admin: admins by spending", "admin", _ADMIN + "get-user-analytics.ts",
          "/rpc/get_user_analytics?sort=total_spent&role=admin&search=&page_size=50"),
    Query("admin: user figures", "admin", _ADMIN + "get-user-stats.ts", "/rpc/get_user_stats"),
    Query("admin: address of an account", "admin", _ADMIN + "get-user-email.ts", "/rpc/get_user_email?of_user={shopper}"),
    Query("admin: order figures", "admin", _ADMIN + "get-order-stats.ts", "/rpc/get_order_stats"),
    Query("admin: design figures", "admin", _ADMIN_DESIGNS + "get-design-stats.ts", "/rpc/get_design_stats"),
    Query("admin: orders", "admin", _ADMIN + "list-confirmed-orders.ts",
          "/orders?select=id,total,status,refunded:refunded_cents,created_at,shipping_address,user_id,"
          "order_items(id,quantity,product_name,product_size,product_color)"
          "&printify_order_id=not.is.null&order=created_at.desc&limit=50"),
    Query("admin: reported designs", "admin", _ADMIN_DESIGNS + "list-design-cases.ts", "/rpc/list_design_cases", "POST", '{"taken_down":false,"most":50}'),
    Query("admin: designs that are taken down", "admin", _ADMIN_DESIGNS + "list-design-cases.ts", "/rpc/list_design_cases", "POST",
          '{"taken_down":true,"most":50}'),
    Query("admin: a design's case", "admin", _ADMIN_DESIGNS + "get-design-case.ts", "/rpc/get_design_case", "POST", '{"of_design":"{reported}"}'),
    Query("admin: take a design down", "admin", _ADMIN_DESIGNS + "decide-design.ts", "/rpc/decide_design", "POST",
          '{"of_design":"{popular}","decision":"take_down","reason":"other","note":"","copies":[]}'),
    Query("admin: restore a design", "admin", _ADMIN_DESIGNS + "decide-design.ts", "/rpc/decide_design", "POST",
          '{"of_design":"{taken_down}","decision":"restore","reason":null,"note":"","copies":[]}'),
    Query("admin: release an order", "admin", _ADMIN + "release-held-order.ts", "/rpc/release_held_order", "POST",
          '{"of_order":"{paid_order}"}'),
    Query("admin: designs", "admin", _ADMIN_DESIGNS + "list-recent-designs.ts",
          "/designs?select=id,name,created_at,user_id,image_url,thumbnail_data,thumbnail_url,printify_product_id&order=created_at.desc&limit=50"),
    Query("admin: creators' names", "admin", _ADMIN_DESIGNS + "list-recent-designs.ts", "/profiles?select=id,name,username&id=in.({creators})"),
    Query("admin: role", "admin", _ADMIN + "set-admin.ts", "/profiles?id=eq.{shopper}&select=id", "PATCH", '{"is_admin":true}',
          "return=representation"),
    Query("admin: latest order", "admin", _ADMIN + "find-latest-order.ts",
          "/orders?select=id&status=in.(paid,processing,shipped,delivered)&order=created_at.desc&limit=1"),
    Query("admin: latest printed order", "admin", _ADMIN + "find-latest-order.ts",
          "/orders?select=id,printify_order_id&printify_order_id=not.is.null&order=created_at.desc&limit=1"),
    Query("admin: flagged orders", "admin", _ADMIN + "list-flagged-orders.ts", "/rpc/list_flagged_orders?most=50"),
    Query("admin: flagged order", "admin", _ADMIN + "get-order-record.ts", "/rpc/get_order_record?of_order={flagged_order}"),
    Query("admin: flags are resolved", "admin", _ADMIN + "resolve-order-flags.ts", "/rpc/resolve_order_flags", "POST",
          '{"of_order":"{flagged_order}","flags":["{open_flag}"],"note":"done"}'),
    Query("admin: order is retried", "admin", _ADMIN + "retry-order.ts", "/rpc/retry_order", "POST",
          '{"of_order":"{flagged_order}"}'),
    Query("admin: order's addresses are revoked", "admin", _ADMIN + "revoke-order-link.ts", "/rpc/revoke_order_link", "POST",
          '{"of_order":"{flagged_order}"}'),
    Query("admin: ship", "admin", _ADMIN + "ship-order.ts", "/orders?id=eq.{printed_order}&select=id", "PATCH",
          '{"status":"shipped","tracking_number":"T","tracking_url":"https://example.com/T","carrier":"USPS"}',
          "return=representation"),
)  # fmt: skip

_MAKER = _WEB + "features/maker/api/"
_MAKER_QUERIES = (
    Query("maker: draft", "shopper", _MAKER + "get-draft.ts",
          "/design_drafts?select=scene,revision&design_id=eq.{own_printed_design}"),
    Query("maker: first picture", "shopper", _MAKER + "get-original.ts",
          "/designs?select=image_data,image_url&id=eq.{own_printed_design}"),
    Query("maker: artwork", "shopper", _MAKER + "list-artwork.ts",
          "/design_artwork?select=id,user_id,name,media_type,width,height,review,made_from,made_by&id=in.({own_design})"),
    Query("maker: own artwork", "shopper", _MAKER + "list-artwork.ts",
          "/design_artwork?select=id,user_id,name,media_type,width,height,review,made_from,made_by&user_id=eq.{shopper}"
          "&order=created_at.desc&limit=60"),
    Query("maker: artwork is deleted", "shopper", _MAKER + "delete-artwork.ts", "/rpc/delete_artwork", "POST",
          '{"artwork":"{own_artwork}"}'),
    Query("maker: idea", "shopper", _MAKER + "get-idea.ts", "/design_ideas?select=kind,request,seed&design_id=eq.{own_printed_design}"),
    Query("maker: print areas", "shopper", _MAKER + "list-print-areas.ts",
          "/product_variants?select=name,front_width,front_height,back_width,back_height&name=like.Black - *&is_available=eq.true"),
    Query("maker: versions", "shopper", _MAKER + "list-versions.ts",
          "/design_versions?select=id,number,has_back,created_at&design_id=eq.{own_printed_design}&order=number.desc&limit=50"),
    Query("maker: current version", "shopper", _MAKER + "list-versions.ts", "/designs?select=current_version&id=eq.{own_printed_design}"),
    Query("maker: scene is saved", "shopper", _MAKER + "save-scene.ts", "/rpc/save_scene", "POST",
          '{"design":"{own_printed_design}","scene":{"version":1,"front":[],"back":[]},"revision":0}'),
    Query("maker: version is made current again", "shopper", _MAKER + "return-to-version.ts", "/rpc/return_to_version", "POST",
          '{"version":"{own_version}"}'),
)  # fmt: skip


# The specification's own calls, where the web client makes others.
_SPECIFIED = (
    Query("specified: gallery page", "visitor", SPECIFIED,
          "/public_designs?select=user_id,created_at,designs!inner(id,name,thumbnail_data,printify_product_id,selected_colors,created_at)"
          "&order=created_at.desc&limit=24"),
    Query("specified: filter by dragon", "visitor", SPECIFIED,
          "/public_designs?select=user_id,created_at,designs!inner(id,name,thumbnail_data,printify_product_id,selected_colors,created_at)"
          "&designs.name=ilike.*dragon*&order=created_at.desc&limit=24"),
    Query("specified: likes of 24", "visitor", SPECIFIED, "/design_likes?select=design_id&design_id=in.({designs})"),
    Query("specified: likes of 24, signed in", "shopper", SPECIFIED, "/design_likes?select=design_id&design_id=in.({designs})"),
    Query("specified: my likes", "busy", SPECIFIED, "/design_likes?select=design_id&user_id=eq.{busy}"),
    Query("specified: like count", "visitor", SPECIFIED, "/design_likes?select=id&design_id=eq.{popular}", "HEAD", prefer="count=exact"),
    Query("specified: my orders", "busy", SPECIFIED, "/orders?select=id,total,status,created_at&user_id=eq.{busy}&order=created_at.desc"),
    Query("specified: my designs", "busy", SPECIFIED, "/designs?select=*&user_id=eq.{busy}&order=created_at.desc&limit=7", prefer="count=exact"),
    Query("specified: is it public", "visitor", SPECIFIED, "/public_designs?select=id&design_id=eq.{popular}"),
    Query("specified: creator's name", "visitor", SPECIFIED, "/rpc/get_design_creator_public_name?creator_user_id={busy}"),
    Query("specified: analytics", "admin", SPECIFIED, "/rpc/get_user_analytics", "POST", "{}"),
)  # fmt: skip
QUERIES = (
    *_GALLERY_QUERIES, *_DESIGN_QUERIES, *_PERSON_QUERIES, *_MAKER_QUERIES, *_ADMIN_QUERIES, *FUNCTION_QUERIES, *_SPECIFIED,
)  # fmt: skip
