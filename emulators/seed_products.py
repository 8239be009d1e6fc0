"""`python -m emulators.seed_products`: print products for the seeded designs that have none.

Makes them through Printify's own API and writes `designs.printify_product_id` over the Data API. Works only
against the emulator: at the real vendor it would make dozens of unwanted products.
Run again, it does nothing: designs with a product are left alone.
"""

from __future__ import annotations

import base64
import io
import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from PIL import Image

from emulators.core.environment import base_url, current_dotenv, vendor_variables
from emulators.core.progress import Counted
from emulators.print_rule import ink_box, largest_print, print_areas
from emulators.printify import catalog

_PAGE = 12
_LAST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff"
_SHOP_SETTINGS = Path(__file__).resolve().parent.parent / "shop.toml"


class SeedError(Exception):
    """A reason that no products can be made; the message is for the person at the terminal."""


class RealPrinterError(SeedError):
    """The print shop is the vendor: nothing to do here."""


@dataclass(frozen=True)
class Places:
    """The addresses of the database's Data API and the print emulator, with their keys."""

    supabase: str
    service_key: str
    printify: str
    token: str
    shop: str


def read_places(environ: Mapping[str, str], dotenv: Mapping[str, str]) -> Places:
    variables = {**dotenv, **vendor_variables(environ, dotenv), **environ}
    base = variables.get("PRINTIFY_API_BASE", "")
    expected = f"{base_url(environ, dotenv)}/printify"
    if base != expected:
        raise RealPrinterError(f"the print shop is {base or 'the real one'}, not the emulator at {expected}")
    if not variables.get("SUPABASE_URL") or not variables.get("SUPABASE_SERVICE_ROLE_KEY"):
        variables |= _running_stack()
    return Places(
        variables["SUPABASE_URL"].rstrip("/"), variables["SUPABASE_SERVICE_ROLE_KEY"], base,
        variables["PRINTIFY_API_TOKEN"], variables["PRINTIFY_SHOP_ID"],
    )  # fmt: skip


def _running_stack() -> dict[str, str]:
    """The local stack's address and key, as its own command prints them."""
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
    prices = tomllib.loads(_SHOP_SETTINGS.read_text(encoding="utf-8"))["prices"]
    with (
        httpx.Client(base_url=f"{places.supabase}/rest/v1", headers=key, timeout=30) as database,
        httpx.Client(base_url=f"{places.supabase}/storage/v1", headers=key, timeout=30) as storage,
        httpx.Client(base_url=f"{places.printify}/v1", headers=printer, timeout=60) as printify,
        ThreadPoolExecutor(2) as pool,
        Counted("making print products") as products,
    ):
        database.post("/rpc/set_pricing", json={"prices": prices}).raise_for_status()
        variants = _variants(database, prices["shirt_cents"])
        last = _LAST_ID
        while designs := _designs_without_product(database, last):
            last = designs[-1]["id"]
            outcomes = pool.map(
                lambda design: _make(
                    design, _picture(design, storage), variants, database, printify, places.shop
                ),
                designs,
            )
            for design, is_made in zip(designs, outcomes, strict=True):
                made += is_made
                products.done(design)
    return made


def _variants(database: httpx.Client, price: int) -> dict[int, int]:
    """The printer's id → price of everything that is sold: a design can be shown and ordered in every colour."""
    response = database.get("/product_variants", params={"select": "printify_variant_id"})
    response.raise_for_status()
    ids = [row["printify_variant_id"] for row in response.json()]
    return {id: price for id in ids if id in catalog.variants()}


def _designs_without_product(database: httpx.Client, last: str) -> list[dict[str, Any]]:
    params = {
        "id": f"lt.{last}",
        "select": "id,name,image_data,image_url,selected_colors",
        "printify_product_id": "is.null",
        "or": "(image_data.not.is.null,image_url.not.is.null)",
        "order": "id.desc",
        "limit": str(_PAGE),
    }
    response = database.get("/designs", params=params)
    response.raise_for_status()
    designs: list[dict[str, Any]] = response.json()
    return designs


def _picture(design: dict[str, Any], storage: httpx.Client) -> bytes:
    """The picture's file; empty where there is none."""
    if design["image_url"]:
        response = storage.get(f"/object/authenticated/designs/{design['image_url']}")
        if response.status_code in (400, 404):  # deleted meanwhile; Storage says 400 with a 404 in the body
            return b""
        response.raise_for_status()
        return response.content
    held = str(design["image_data"])
    try:
        return base64.b64decode(held.partition("base64,")[2] or held)
    except ValueError:  # binascii.Error among them
        return b""


def _make(
    design: dict[str, Any],
    picture: bytes,
    variants: dict[int, int],
    database: httpx.Client,
    printify: httpx.Client,
    shop: str,
) -> bool:
    """One upload, one product, one update: the picture without its margins, where the shop prints every design.

    False for a design that shows nothing: every user may save one, and it must not stop the others.
    """
    trimmed = _trimmed(picture)
    if trimmed is None:
        return False
    contents, size = trimmed
    upload = printify.post(
        "/uploads/images.json", json={"file_name": f"{design['id']}.png", "contents": contents}
    )
    upload.raise_for_status()
    areas = {id: catalog.variants()[id].area for id in variants}
    product = printify.post(
        f"/shops/{shop}/products.json",
        json={
            "title": design["name"],
            "description": "",
            "blueprint_id": catalog.BLUEPRINT,
            "print_provider_id": catalog.PROVIDER,
            "variants": [{"id": id, "price": price, "is_enabled": True} for id, price in variants.items()],
            "print_areas": print_areas(areas, upload.json()["id"], size),
        },
    )
    product.raise_for_status()
    # The filter protects a product that another process made meanwhile.
    database.patch(
        "/designs",
        params={"id": f"eq.{design['id']}", "printify_product_id": "is.null"},
        json={"printify_product_id": product.json()["id"]},
        headers={"Prefer": "return=minimal"},
    ).raise_for_status()
    return True


def _trimmed(content: bytes) -> tuple[str, tuple[int, int]] | None:
    """The picture without its margins as base64, and the size of the print file that would be made of it."""
    try:
        with Image.open(io.BytesIO(content)) as opened:
            picture = opened.convert("RGBA")
    except (OSError, ValueError, Image.DecompressionBombError):  # Pillow's UnidentifiedImageError among them
        return None
    box = ink_box(picture)
    if box is None:
        return None
    trimmed = picture.crop(box)
    out = io.BytesIO()
    trimmed.save(out, "PNG", compress_level=1)
    return base64.b64encode(out.getvalue()).decode(), largest_print(trimmed.size)


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
