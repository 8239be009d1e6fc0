"""`python -m deploy catalog`: fills product_variants from the printer's catalog, and the price list from shop.toml.

What the printer offers of the colours and sizes in shop.toml is inserted or brought up to date. What it does not offer
(any more) is marked unavailable and stays in the table, because orders and designs name it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any
from uuid import uuid4

from deploy import services
from deploy.errors import CommandError
from deploy.http import Api
from deploy.pricing import store_prices, stored_prices, written_prices
from deploy.shop_settings import SHOP_SETTINGS, CatalogChoice, read_catalog

# Gildan 5000 at Monster Digital, as functions/_shared/core/settings.py has it
_BLUEPRINT, _PROVIDER = "6", "29"


@dataclass(frozen=True)
class Row:
    """A row of product_variants."""

    id: str
    name: str
    color_hex: str
    printify_variant_id: int
    is_available: bool
    front_width: int | None = None
    front_height: int | None = None
    back_width: int | None = None
    back_height: int | None = None

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class Offer:
    """A variant of the printer's; `areas` is what it prints of each side, in pixels, where the printer says so."""

    printify_variant_id: int
    colour: str
    size: str
    areas: Mapping[str, tuple[int, int]]


@dataclass(frozen=True)
class Plan:
    """The rows to write, and what is worth a line."""

    rows: tuple[Row, ...]
    added: int
    changed: int
    withdrawn: tuple[str, ...]
    missing_colours: tuple[str, ...]
    offered: int


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--settings", type=Path, default=SHOP_SETTINGS, help="the owner's settings (shop.toml)"
    )


def run(arguments: argparse.Namespace, environ: Mapping[str, str]) -> int:
    project = services.supabase(environ)
    choice, prices = read_catalog(arguments.settings), written_prices(arguments.settings)
    plan = plan_catalog(read_rows(project), read_offers(environ), choice)
    if not plan.offered:
        raise CommandError("The printer has none of the colours and sizes in shop.toml's [catalog].")
    write_rows(project, plan.rows)
    _report(plan)
    _bring_prices(project, prices)
    return 0


def read_rows(project: Api) -> list[Row]:
    columns = ",".join(field.name for field in fields(Row))
    variants = project.call("GET", "/rest/v1/product_variants", params={"select": columns, "order": "name"})
    return [Row(**row) for row in variants]


def read_offers(environ: Mapping[str, str]) -> list[Offer]:
    """The printer's variants of the shirt, those too that are out of stock for a day."""
    blueprint = environ.get("PRINTIFY_BLUEPRINT_ID", _BLUEPRINT)
    provider = environ.get("PRINTIFY_PRINT_PROVIDER_ID", _PROVIDER)
    path = f"/catalog/blueprints/{blueprint}/print_providers/{provider}/variants.json"
    body = services.printify(environ).call("GET", path, params={"show-out-of-stock": "1"})
    try:
        return [
            Offer(
                int(variant["id"]),
                str(variant["options"]["color"]),
                str(variant["options"]["size"]),
                {
                    str(place["position"]): (int(place["width"]), int(place["height"]))
                    for place in variant.get("placeholders", ())
                },
            )
            for variant in body["variants"]
        ]
    except (KeyError, TypeError, ValueError) as error:
        raise CommandError(
            f"Printify's blueprint {blueprint} is no shirt with colours and sizes: {path} answered otherwise."
        ) from error


def plan_catalog(rows: list[Row], offers: list[Offer], choice: CatalogChoice) -> Plan:
    """A row is the printer's variant by its id; else, when the printer has numbered anew, by its name."""
    chosen = [offer for offer in offers if offer.colour in choice.colours and offer.size in choice.sizes]
    by_number = {row.printify_variant_id: row for row in rows}
    by_name = {row.name: row for row in rows}
    written: list[Row] = []
    current: set[str] = set()
    added = 0
    for offer in chosen:
        name = f"{offer.colour} - {offer.size}"
        row = by_number.get(offer.printify_variant_id) or by_name.get(name)
        if row is None:
            row = Row(str(uuid4()), "", "", 0, is_available=False)
            added += 1
        new_row = Row(
            row.id,
            name,
            choice.colours[offer.colour],
            offer.printify_variant_id,
            True,
            *offer.areas.get("front", (row.front_width, row.front_height)),
            *offer.areas.get("back", (row.back_width, row.back_height)),
        )
        current.add(row.id)
        if new_row != row:
            written.append(new_row)
    gone = [row for row in rows if row.id not in current and row.is_available]
    written += [replace(row, is_available=False) for row in gone]
    return Plan(
        rows=tuple(written),
        added=added,
        changed=len(written) - added - len(gone),
        withdrawn=tuple(row.name for row in gone),
        missing_colours=tuple(sorted(set(choice.colours) - {offer.colour for offer in chosen})),
        offered=len(chosen),
    )


def write_rows(project: Api, rows: tuple[Row, ...]) -> None:
    """All of them in one statement, so that a catalog is never half of the old and half of the new."""
    if rows:
        project.call(
            "POST",
            "/rest/v1/product_variants",
            params={"on_conflict": "id"},
            headers={"Prefer": "resolution=merge-duplicates,return=minimal"},
            json=[row.to_json() for row in rows],
        )


def _report(plan: Plan) -> None:
    out = sys.stdout
    if not plan.rows:
        out.write(f"catalog: {plan.offered} variants, nothing to change\n")
    else:
        out.write(
            f"catalog: {plan.offered} variants; {plan.added} added, {plan.changed} changed, "
            f"{len(plan.withdrawn)} marked unavailable\n"
        )
    if plan.withdrawn:
        out.write(f"  unavailable from now on: {', '.join(plan.withdrawn)}\n")
    if plan.missing_colours:
        out.write(f"  the printer does not have: {', '.join(plan.missing_colours)}\n")


def _bring_prices(project: Api, written: dict[str, Any]) -> None:
    stored = stored_prices(project)
    changed = sorted(name for name in written if stored.get(name) != written[name])
    if changed:
        store_prices(project, written)
        sys.stdout.write(f"prices: changed {', '.join(changed)}; now build the web client again\n")
    else:
        sys.stdout.write(f"prices: ${written['shirt_cents'] / 100:.2f} a shirt, nothing to change\n")
