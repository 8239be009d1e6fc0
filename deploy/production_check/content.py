"""The shop's needs in its project: buckets, a catalog, prices, an admin; and no demonstration account."""

from __future__ import annotations

from deploy.accounts import account_exists, admin_ids
from deploy.buckets import object_files, read_buckets
from deploy.commands.buckets import differs, object_differs, stored_buckets
from deploy.commands.catalog import read_offers, read_rows
from deploy.demo_people import read_demo_people
from deploy.pricing import stored_prices, written_prices
from deploy.production_check.finding import Finding, Shop, finding


def check_buckets(shop: Shop) -> list[Finding]:
    stored, problems = stored_buckets(shop.project), []
    buckets = read_buckets()
    for bucket in buckets:
        if bucket.name not in stored:
            problems.append(f"{bucket.name} is missing")
            continue
        if changed := differs(bucket, stored[bucket.name]):
            problems.append(f"{bucket.name} has another {', '.join(changed)}")
        problems += [
            f"{bucket.name}/{name} is missing or differs"
            for name, file in object_files(bucket)
            if object_differs(shop.project, bucket, name, file)
        ]
    return [finding("buckets", problems, f"{len(buckets)} as written", "python -m deploy buckets")]


def check_catalog(shop: Shop) -> list[Finding]:
    rows = [row for row in read_rows(shop.project) if row.is_available]
    offered = {offer.printify_variant_id for offer in read_offers(shop.environ)}
    problems = [] if rows else ["no variant can be ordered"]
    if gone := [row.name for row in rows if row.printify_variant_id not in offered]:
        problems.append(f"the printer does not offer {', '.join(gone)}")
    return [finding("catalog", problems, f"{len(rows)} variants", "python -m deploy catalog")]


def check_prices(shop: Shop) -> list[Finding]:
    written, stored = written_prices(shop.settings), stored_prices(shop.project)
    problems = [
        f"{name} is {stored.get(name)}, {value} in shop.toml"
        for name, value in written.items()
        if stored.get(name) != value
    ]
    ok = f"${written['shirt_cents'] / 100:.2f} a shirt"
    return [finding("prices", problems, ok, "python -m deploy catalog")]


def check_admin(shop: Shop) -> list[Finding]:
    demo = {person.id for person in read_demo_people(shop.demo_people)}
    admins = [id for id in admin_ids(shop.project) if id not in demo]
    problems = [] if admins else ["no account may open the admin page"]
    return [finding("admin", problems, f"{len(admins)} of them", "python -m deploy admin EMAIL")]


def check_demo_people(shop: Shop) -> list[Finding]:
    emails = [
        person.email
        for person in read_demo_people(shop.demo_people)
        if account_exists(shop.project, person.id)
    ]
    problems = [f"public passwords open {', '.join(emails)}"] if emails else []
    return [finding("demo accounts", problems, "none", "python -m deploy remove-demo-accounts")]
