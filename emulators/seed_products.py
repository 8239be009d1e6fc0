"""`python -m emulators.seed_products`: print products for the seeded designs that have none.

Makes them through Printify's own API and writes `designs.printify_product_id` over the Data API. Works only
against the emulator: at the real vendor it would make dozens of products that nobody asked for.
Run again, it does nothing: designs with a product are left alone.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from emulators.environment import base_url, current_dotenv, vendor_variables
from emulators.printify import catalog
from emulators.progress import Counted

_PAGE = 12
_PRICE = 1990


class SeedError(Exception):
    """Why no products can be made; the message is for the person at the terminal."""


class RealPrinterError(SeedError):
    """The print shop is the vendor: nothing to do here."""


@dataclass(frozen=True)
class Places:
    """Where the database's Data API and the print emulator are, and the keys for them."""

    supabase: str
    service_key: str
    printify: str
    token: str
    shop: str


def read_places(environ: Mapping[str, str], dotenv: Mapping[str, str]) -> Places:
    known = {**dotenv, **vendor_variables(environ, dotenv), **environ}
    base = known.get("PRINTIFY_API_BASE", "")
    expected = f"{base_url(environ, dotenv)}/printify"
    if base != expected:
        raise RealPrinterError(f"the print shop is {base or 'the real one'}, not the emulator at {expected}")
    if not known.get("SUPABASE_URL") or not known.get("SUPABASE_SERVICE_ROLE_KEY"):
        known |= _running_stack()
    return Places(
        known["SUPABASE_URL"].rstrip("/"), known["SUPABASE_SERVICE_ROLE_KEY"], base,
        known["PRINTIFY_API_TOKEN"], known["PRINTIFY_SHOP_ID"],
    )  # fmt: skip


def _running_stack() -> dict[str, str]:
    """The local stack's address and key, as its own command tells them."""
    command = [str(Path(sys.executable).parent / "supabase"), "status", "-o", "json"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        values = json.loads(done.stdout)
        return {"SUPABASE_URL": values["API_URL"], "SUPABASE_SERVICE_ROLE_KEY": values["SERVICE_ROLE_KEY"]}
    except (OSError, subprocess.CalledProcessError, ValueError, KeyError) as error:
        raise SeedError(
            "no stack is running: run `supabase start`, or set SUPABASE_URL and SUPABASE_SERVICE_ROLE_KEY"
        ) from error


def make_products(places: Places) -> int:
    """Makes the missing products; how many were made."""
    key = {"apikey": places.service_key, "Authorization": f"Bearer {places.service_key}"}
    printer = {"Authorization": f"Bearer {places.token}", "User-Agent": "Teesmith"}
    made = 0
    with (
        httpx.Client(base_url=f"{places.supabase}/rest/v1", headers=key, timeout=30) as database,
        httpx.Client(base_url=f"{places.printify}/v1", headers=printer, timeout=60) as printify,
        ThreadPoolExecutor(2) as pool,
        Counted("making print products") as products,
    ):
        variants = _variants(database)
        while designs := _designs_without_product(database):
            # Each is made or raises, so the next page is another one.
            for design in pool.map(
                lambda design: _make(design, variants, database, printify, places.shop), designs
            ):
                products.done(design)
                made += 1
    return made


def _variants(database: httpx.Client) -> list[int]:
    """The printer's ids of everything that is sold: a design can be shown and ordered in every colour."""
    reply = database.get("/product_variants", params={"select": "printify_variant_id"})
    reply.raise_for_status()
    return [
        row["printify_variant_id"] for row in reply.json() if row["printify_variant_id"] in catalog.variants()
    ]


def _designs_without_product(database: httpx.Client) -> list[dict[str, Any]]:
    params = {
        "select": "id,name,image_data,selected_colors",
        "printify_product_id": "is.null",
        "image_data": "not.is.null",
        "order": "created_at.desc",
        "limit": str(_PAGE),
    }
    reply = database.get("/designs", params=params)
    reply.raise_for_status()
    designs: list[dict[str, Any]] = reply.json()
    return designs


def _make(
    design: dict[str, Any],
    variants: list[int],
    database: httpx.Client,
    printify: httpx.Client,
    shop: str,
) -> None:
    """One upload, one product, one update."""
    contents = design["image_data"].partition("base64,")[2] or design["image_data"]
    upload = printify.post(
        "/uploads/images.json", json={"file_name": f"{design['id']}.png", "contents": contents}
    )
    upload.raise_for_status()
    image = {"id": upload.json()["id"], "x": 0.5, "y": 0.446, "scale": 0.92, "angle": 0}
    product = printify.post(
        f"/shops/{shop}/products.json",
        json={
            "title": design["name"],
            "description": "",
            "blueprint_id": catalog.BLUEPRINT,
            "print_provider_id": catalog.PROVIDER,
            "variants": [{"id": id, "price": _PRICE, "is_enabled": True} for id in variants],
            "print_areas": [
                {"variant_ids": variants, "placeholders": [{"position": "front", "images": [image]}]}
            ],
        },
    )
    product.raise_for_status()
    # The filter keeps a product that somebody else made meanwhile.
    database.patch(
        "/designs",
        params={"id": f"eq.{design['id']}", "printify_product_id": "is.null"},
        json={"printify_product_id": product.json()["id"]},
        headers={"Prefer": "return=minimal"},
    ).raise_for_status()


def main() -> int:
    try:
        made = make_products(read_places(os.environ, current_dotenv()))
    except RealPrinterError as error:
        sys.stdout.write(f"no print products made: {error}\n")
        return 0
    except SeedError as error:
        sys.stderr.write(f"no products made: {error}\n")
        return 1
    except httpx.HTTPError as error:
        sys.stderr.write(f"no products made: {type(error).__name__}: {error}\n")
        return 1
    sys.stdout.write(f"{made} print products made\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
