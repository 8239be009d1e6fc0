"""People with a design that can be ordered."""

from __future__ import annotations

import base64
import io
from typing import Any

import httpx
from PIL import Image

from tests.chaos.shoppers import Goods
from tests.support.stacks import Stack
from tests.support.users import Users


def goods_of(stack: Stack, users: Users, shopper: int) -> Goods:
    """A signed-in person with a design that can be ordered, made while everything still works."""
    person = users.new(f"chaos-{shopper}")
    out = io.BytesIO()
    Image.new("RGBA", (300, 300), "#F0492F").save(out, "PNG")
    picture = base64.b64encode(out.getvalue()).decode()
    catalog: Any = person.client.table("product_variants").select("*").eq("name", "Black - L").execute().data
    row = {
        "user_id": person.id,
        "name": "Storm",
        "image_data": picture,
        "selected_colors": [catalog[0]["id"]],
    }
    design: Any = person.client.table("designs").insert(row).execute().data
    made = httpx.post(
        f"{stack.api_url}/functions/v1/create-printify-product",
        json={"designId": design[0]["id"], "imageBase64": picture, "selectedColors": [catalog[0]["id"]]},
        headers={"apikey": stack.publishable_key, "authorization": f"Bearer {person.token}"},
        timeout=60,
    )
    assert made.status_code == 200, made.text
    return Goods(person.token, design[0]["id"], made.json()["printifyProductId"], catalog[0])
