"""Rules for the whole schema: row security everywhere, grants as listed, indexes under keys, comments."""

from typing import Any

Db = Any

# All grants of the API's roles, table by table; columns where the grant is by column.
GRANTS = {
    "anon": {
        "design_likes": {"SELECT(created_at,design_id,id)"},
        "designs": {"SELECT"},
        "product_variants": {"SELECT"},
        "profiles": {"SELECT(id,public_name)"},
        "public_designs": {"SELECT"},
    },
    "authenticated": {
        "design_likes": {"SELECT", "INSERT(design_id,user_id)", "DELETE"},
        "designs": {
            "SELECT",
            "INSERT(image_data,image_url,name,selected_colors,style,thumbnail_data,user_id)",
            "UPDATE(name,updated_at)",
            "DELETE",
        },
        "design_artwork": {"SELECT"},
        "design_drafts": {"SELECT"},
        "design_ideas": {"SELECT"},
        "design_versions": {"SELECT"},
        "design_jobs": {
            "SELECT(created_at,design_id,error,error_code,finished_at,id,kind,request,result,result_path,seed,state,user_id)"
        },
        "design_uploads": {"SELECT", "INSERT(user_id)"},
        "order_events": {"SELECT"},
        "order_flags": {"SELECT"},
        "order_items": {"SELECT"},
        "orders": {"SELECT", "UPDATE(carrier,status,tracking_number,tracking_url)"},
        "product_variants": {"SELECT"},
        "profiles": {"SELECT", "UPDATE(is_admin,name,public_name,username)"},
        "public_designs": {"SELECT", "INSERT(design_id,user_id)", "DELETE"},
        "user_addresses": {
            "SELECT",
            "INSERT(address1,address2,city,country,email,first_name,is_default,last_name,phone,phone_country_code,"
            "region,user_id,zip)",
        },
        "user_sessions": {"INSERT(login_at,user_agent,user_id)"},
    },
}

TABLE_GRANTS = """
select c.relname as name, p.privilege_type as verb
from pg_class c, lateral aclexplode(c.relacl) p
where c.relnamespace = 'public'::regnamespace and p.grantee = %s::regrole and c.relkind in ('r', 'v')
"""
COLUMN_GRANTS = """
select c.relname as name, p.privilege_type as verb, string_agg(a.attname, ',' order by a.attname) as columns
from pg_class c join pg_attribute a on a.attrelid = c.oid, lateral aclexplode(a.attacl) p
where c.relnamespace = 'public'::regnamespace and p.grantee = %s::regrole
group by 1, 2
"""


def grants(db: Db, role: str) -> dict[str, set[str]]:
    verbs_by_name: dict[str, set[str]] = {}
    for row in db.run(TABLE_GRANTS, role):
        verbs_by_name.setdefault(row["name"], set()).add(row["verb"])
    for row in db.run(COLUMN_GRANTS, role):
        verbs_by_name.setdefault(row["name"], set()).add(f"{row['verb']}({row['columns']})")
    return verbs_by_name


def test_visitors_and_users_have_exactly_these_grants(db: Db) -> None:
    assert grants(db, "anon") == GRANTS["anon"]
    assert grants(db, "authenticated") == GRANTS["authenticated"]


def test_functions_are_executable_by_their_intended_roles(db: Db) -> None:
    rows = db.run(
        "select p.proname as name, r.rolname as role from pg_proc p, pg_roles r "
        "where p.pronamespace = 'public'::regnamespace and r.rolname in ('anon', 'authenticated', 'service_role') "
        "and has_function_privilege(r.oid, p.oid, 'execute') order by 1, 2"
    )
    callers: dict[str, list[str]] = {}
    for row in rows:
        callers.setdefault(row["name"], []).append(row["role"])
    everybody = ["anon", "authenticated", "service_role"]
    steps = [
        "get_creator_page", "get_design_page", "get_gallery_page", "get_sitemap", "list_sitemaps",
        "begin_call", "finish_call", "forget_calls",
        "get_design_to_copy", "save_design_copy", "find_design_copy", "find_print_files", "report_design",
        "claim_design_notice", "fail_design_notice", "finish_design_notice",
        "artwork_bytes", "begin_scene_design", "export_scenes", "next_version_number", "save_design_version",
        "begin_design_job", "begin_printing", "claim_design_job", "fail_design_job", "finish_design_job",
        "get_design_job", "leave_design_job", "save_design_job_step",
        "close_account", "export_account", "list_closing_accounts", "list_unfinished_orders",
        "request_money_checks", "begin_money_read", "claim_money_check", "compare_payments", "fail_money_check",
        "finish_money_check", "get_money_figures", "save_money_page",
        "cancel_order", "cancel_unpaid_order", "check_next_total", "claim_job", "claim_message",
        "retire_artwork", "retire_print_files", "claim_print_file",
        "claim_object_tasks", "complete_usage", "fail_job", "fail_message", "fail_object_tasks",
        "finish_job", "finish_message", "finish_object_tasks", "finish_total_check",
        "finish_printing", "flag_order", "get_job_figures", "get_last_sweep", "get_tracked_order",
        "note_order_event", "note_vendor_event", "record_sweep",
        "place_order", "record_progress", "record_money", "release_usage", "request_cancellation", "request_refund",
        "reserve_usage", "set_pricing", "settle_order", "withdraw_cancellation",
    ]  # fmt: skip
    assert callers == {step: ["service_role"] for step in steps} | {
        "decide_design": ["authenticated"],
        "end_design_link": ["authenticated"],
        "get_design_creator_public_name": everybody,
        "get_pricing": everybody,
        "get_shared_design": everybody,
        "design_picture": everybody,
        "design_thumbnail": everybody,
        "has_password": ["authenticated"],
        "has_thumbnail": everybody,
        "count_public_designs": everybody,
        "like_count": everybody,
        "most_liked_designs": everybody,
        "related_designs": everybody,
        "get_design_case": ["authenticated"],
        "get_design_stats": ["authenticated", "service_role"],
        "get_order_progress": ["authenticated"],
        "get_order_record": ["authenticated"],
        "get_order_stats": ["authenticated", "service_role"],
        "get_user_analytics": ["authenticated", "service_role"],
        "get_user_email": ["authenticated"],
        "get_user_stats": ["authenticated", "service_role"],
        "ask_for_review": ["authenticated"],
        "delete_artwork": ["authenticated"],
        "keep_idea": ["authenticated"],
        "return_to_version": ["authenticated"],
        "save_scene": ["authenticated"],
        "link_key": ["anon", "authenticated"],
        "list_design_cases": ["authenticated"],
        "list_flagged_orders": ["authenticated"],
        "release_held_order": ["authenticated"],
        "resolve_order_flags": ["authenticated"],
        "retry_order": ["authenticated"],
        "revoke_order_link": ["authenticated"],
        "search_public_designs": everybody,
        "takedown_reason": ["anon", "authenticated"],
    }


def test_every_table_has_row_security_and_a_comment(db: Db) -> None:
    assert (
        db.run(
            "select relname from pg_class where relnamespace in ('public'::regnamespace, 'private'::regnamespace) "
            "and relkind = 'r' and (not relrowsecurity or obj_description(oid) is null)"
        )
        == []
    )


def test_every_function_has_an_empty_search_path(db: Db) -> None:
    assert (
        db.run(
            "select proname from pg_proc where pronamespace in ('public'::regnamespace, 'private'::regnamespace) "
            """and not coalesce('search_path=""' = any (proconfig), false)"""
        )
        == []
    )


def test_every_foreign_key_has_an_index(db: Db) -> None:
    assert (
        db.run(
            "select c.conrelid::regclass::text as table_name, c.conname from pg_constraint c "
            "where c.contype = 'f' and c.connamespace in ('public'::regnamespace, 'private'::regnamespace) "
            "and not exists (select 1 from pg_index i where i.indrelid = c.conrelid and i.indkey[0] = c.conkey[1] "
            "and i.indpred is null)"
        )
        == []
    )


def test_policies_evaluate_the_caller_once_per_statement(db: Db) -> None:
    """A bare auth.uid() in a policy is evaluated for every row; inside a select it is evaluated once."""
    bare = [
        row["policyname"]
        for row in db.run("select policyname, qual, with_check from pg_policies where schemaname = 'public'")
        for text in (row["qual"] or "", row["with_check"] or "")
        if text.replace("SELECT auth.uid() AS uid", "").count("auth.uid()")
        or text.replace("SELECT private.is_admin() AS is_admin", "").count("private.is_admin()")
    ]
    assert bare == []


def test_new_objects_have_no_grants_by_default(db: Db) -> None:
    db.run("create table public.later (id int)")
    db.run("create function public.later_function() returns int language sql as 'select 1'")
    for persona in ("anon", "owner", "service"):
        assert db.rejected(persona, "select * from public.later") == "42501"


def test_catalog_has_fifteen_colours_from_xs_to_4xl(db: Db) -> None:
    rows = db.as_(
        "anon", "select name, color_hex, printify_variant_id from public.product_variants order by name"
    )
    sizes: dict[str, set[str]] = {}
    for row in rows:
        color, _, size = row["name"].rpartition(" - ")
        sizes.setdefault(color, set()).add(size)
    assert len(rows) == 112
    assert len(sizes) == 15
    assert sizes["Black"] == {"XS", "S", "M", "L", "XL", "2XL", "3XL", "4XL"}
    assert sizes["Sand"] == {"XS", "S", "M", "L", "XL", "2XL", "3XL"}
    by_name = {row["name"]: row["printify_variant_id"] for row in rows}
    assert (by_name["Black - S"], by_name["Black - L"], by_name["White - 4XL"]) == (12126, 12124, 24031)
