"""The people and rows that the measured queries are about: ordinary ones, and those that have most."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, LiteralString

import psycopg

# Each finds one text. What one needs of another stands before it.
_SUBJECTS: dict[str, LiteralString] = {
    "busy": "select user_id from private.user_totals order by designs desc, user_id limit 1",
    "admin": "select id from private.profiles where is_admin order by created_at, id limit 1",
    # a person in the middle, who has published, and has a design of each kind
    "shopper": """
        select t.user_id from private.user_totals t
        where exists (select from public.public_designs p where p.user_id = t.user_id)
          and exists (select from private.profiles p where p.id = t.user_id and p.public_name is not null and not p.is_admin)
          and exists (select from public.designs d where d.user_id = t.user_id
                      and not exists (select from public.public_designs p where p.design_id = d.id))
        order by abs(t.designs - 20), t.user_id limit 1""",
    "popular": """
        select l.design_id from private.design_like_totals l join public.public_designs p using (design_id)
        order by l.likes desc, l.design_id limit 1""",
    "reported": "select design_id from private.design_reports group by design_id order by count(*) desc, design_id limit 1",
    "taken_down": "select design_id from private.design_takedowns where decision = 'take_down' order by created_at, id limit 1",
    "notice": "select id from private.design_notices where sent_at is null order by due_at, id limit 1",
    # the busiest page of the gallery: the most liked designs and their makers
    "designs": """
        select string_agg(design_id::text, ',') from (
          select l.design_id from private.design_like_totals l join public.public_designs p using (design_id)
          order by l.likes desc, l.design_id limit 24) d""",
    "creators": """
        select string_agg(user_id::text, ',') from (
          select distinct user_id from (
            select user_id from public.public_designs order by created_at desc, id limit 200) p limit 24) d""",
    "deep_time": """
        select to_jsonb(created_at) #>> '{}' from public.public_designs order by created_at desc, id
        offset least(24000, (select count(*) * 0.9 from public.public_designs)::bigint) limit 1""",
    "deep_id": """
        select id from public.public_designs order by created_at desc, id
        offset least(24000, (select count(*) * 0.9 from public.public_designs)::bigint) limit 1""",
    "rare_word": """
        select word from (select substring(name from ' ([a-z]{6,})$') as word from public.public_designs) w
        where word is not null group by word order by count(*), word limit 1""",
    "rare_name": "select name from private.profiles where name is not null order by created_at, id limit 1",
    "liked": "select design_id from public.design_likes where user_id = '{busy}' order by created_at, id limit 1",
    "unliked": """
        select p.design_id from public.public_designs p where not exists (
          select from public.design_likes l where l.design_id = p.design_id and l.user_id = '{shopper}')
        order by p.created_at desc, p.id limit 1""",
    "own_design": "select id from public.designs where user_id = '{shopper}' order by created_at, id limit 1",
    "own_public_design": "select design_id from public.public_designs where user_id = '{shopper}' order by created_at, id limit 1",
    "own_private_design": """
        select d.id from public.designs d where d.user_id = '{shopper}'
          and not exists (select from public.public_designs p where p.design_id = d.id) order by d.created_at, d.id limit 1""",
    "own_liked_design": """
        select p.design_id from public.public_designs p left join private.design_like_totals l using (design_id)
        where p.user_id = '{busy}' order by coalesce(l.likes, 0) desc, p.id limit 1""",
    "own_printed_design": """
        select id from public.designs where user_id = '{shopper}' and printify_product_id is not null
        order by created_at, id limit 1""",
    "own_product": "select printify_product_id from public.designs where id = '{own_printed_design}'",
    # made here: of a million designs none is a drawing
    "own_version": """
        insert into public.design_versions (design_id, number, scene, printify_product_id)
        values ('{own_printed_design}', 1, '{"version": 1, "front": [], "back": []}', '{own_product}')
        on conflict (design_id, number) do update set number = 1 returning id""",
    "own_artwork": """
        insert into public.design_artwork (id, user_id, name, media_type, width, height, bytes)
        values ('00000000-0000-4000-8000-0000000000a7', '{shopper}', 'Logo', 'image/png', 9, 9, 9)
        on conflict (id) do update set width = 9 returning id""",
    "unprinted_design": "select id from public.designs where printify_product_id is null order by created_at, id limit 1",
    "own_order": """
        select o.id from public.orders o where o.user_id = '{busy}' and exists (
          select from public.order_messages m where m.order_id = o.id) order by o.created_at, o.id limit 1""",
    "pending_order": "select id from public.orders where status = 'pending' order by created_at desc, id limit 1",
    "pending_intent": "select payment_intent_id from public.orders where id = '{pending_order}'",
    "paid_order": "select id from public.orders where status = 'paid' order by created_at, id limit 1",
    "flagged_order": "select order_id from public.order_flags where resolved_at is null order by created_at, id limit 1",
    "open_flag": "select id from public.order_flags where resolved_at is null order by created_at, id limit 1",
    "printed_order": "select id from public.orders where status = 'processing' order by created_at, id limit 1",
    "intent": "select payment_intent_id from public.orders where id = '{own_order}'",
    "print_id": "select printify_order_id from public.orders where printify_order_id is not null order by created_at, id limit 1",
    "message": "select id from public.order_messages order by created_at, id limit 1",
    "job": "select id from public.design_jobs order by created_at, id limit 1",
    "variant": "select id from public.product_variants where name = 'Black - XL'",
}  # fmt: skip


def find_subjects(connection: psycopg.Connection[Any]) -> Mapping[str, str]:
    """Each subject's text by its name."""
    subjects: dict[str, str] = {}
    for name, sql in _SUBJECTS.items():
        cursor = connection.execute(filled(sql, subjects).encode())
        row = cursor.fetchone()
        if row is None or row[0] is None:
            raise LookupError(f"There is no {name} in this database.")
        subjects[name] = str(row[0])
    return subjects


def filled(text: str, subjects: Mapping[str, str]) -> str:
    """The text with subjects in place of their names; other braces stay."""
    for name, value in subjects.items():
        text = text.replace("{" + name + "}", value)
    return text
