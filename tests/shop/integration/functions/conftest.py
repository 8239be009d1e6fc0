"""The functions as a browser reaches them: gateway, real accounts, real database, the vendors' emulators."""

from __future__ import annotations

import base64
import io
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import httpx
import psycopg
import pytest
from PIL import Image, ImageDraw
from psycopg.rows import dict_row

from tests.support.functions.container import Container
from tests.support.stacks import Stack
from tests.support.users import Person, Users

Json = dict[str, Any]
ADDRESS: Json = {
    "first_name": "Ann", "last_name": "Lee", "email": "ann@example.com", "phone_country_code": "+1",
    "phone": "3105551234", "country": "US", "region": "CA", "address1": "1 Main St", "address2": "",
    "city": "Beverly Hills", "zip": "90210",
}  # fmt: skip


def png(size: tuple[int, int] = (600, 600), color: str = "#F0492F") -> str:
    """A base64 PNG that is not empty."""
    image = Image.new("RGBA", size)
    ImageDraw.Draw(image).ellipse((20, 20, size[0] - 20, size[1] - 20), fill=color)
    out = io.BytesIO()
    image.save(out, "PNG")
    return base64.b64encode(out.getvalue()).decode()


class Functions:
    """Calls functions and reads their effects in the database and at the vendors."""

    def __init__(self, stack: Stack) -> None:
        self._stack = stack
        self._http = httpx.Client(timeout=120)
        self._database: psycopg.Connection[Json] | None = None

    def call(
        self, slug: str, body: Any, token: str | None = None, *, key: str | None = None, **sent: Any
    ) -> httpx.Response:
        """`body` is sent as JSON, or as it is when it is bytes; `key` as the Idempotency-Key."""
        # An opaque key counts as the API key, wherever it stands besides.
        is_opaque = token is not None and token.startswith("sb_")
        headers = {"content-type": "application/json"}
        headers["apikey"] = token if token and is_opaque else self._stack.publishable_key
        if token:
            headers["authorization"] = f"Bearer {token}"
        if key is not None:
            headers["idempotency-key"] = key
        content = {"content": body} if isinstance(body, bytes) else {"json": body}
        return self._http.post(
            f"{self._stack.api_url}/functions/v1/{slug}", headers=headers, **content, **sent
        )

    def get(self, slug: str) -> httpx.Response:
        """Return what a link's scanner sends."""
        headers = {"apikey": self._stack.publishable_key}
        return self._http.get(f"{self._stack.api_url}/functions/v1/{slug}", headers=headers)

    def body_of(self, slug: str, body: Any, token: str | None = None) -> Json:
        """The body of a call that succeeds."""
        response = self.call(slug, body, token)
        assert response.status_code == 200, response.text
        result: Json = response.json()
        return result

    def error_of(self, slug: str, body: Any, token: str | None = None) -> tuple[int, str]:
        """Status and code of a call that fails, with nothing but error and code in its body."""
        response = self.call(slug, body, token)
        body = response.json()
        assert set(body) == {"error", "code"}, body
        assert body["error"]
        return response.status_code, body["code"]

    def sql(self, statement: str, *values: object) -> list[Json]:
        """Queries the database directly, by one connection: a new one costs its server more than most queries."""
        if self._database is None or self._database.closed:
            self._database = psycopg.connect(
                self._stack.db_url, row_factory=dict_row, autocommit=True, prepare_threshold=None
            )
        # Without values a per cent sign is itself.
        cursor = self._database.execute(statement, values or None)
        return cursor.fetchall() if cursor.description else []

    def stripe(self, path: str, method: str = "POST", **form: str) -> httpx.Response:
        """Stripe's API with the shop's secret key, as Stripe's own page would use it."""
        url = f"{self._stack.emulators_url}/stripe/v1/{path}"
        return self._http.request(method, url, data=form, auth=("sk_test_emulator", ""))

    def get_stripe(self, path: str, **query: str) -> Json:
        """Objects that Stripe has stored."""
        response = self._http.get(
            f"{self._stack.emulators_url}/stripe/v1/{path}", params=query, auth=("sk_test_emulator", "")
        )
        assert response.status_code == 200, response.text
        body: Json = response.json()
        return body

    def printify(self, path: str, method: str = "GET") -> Json:
        """Printify's API with the shop's token."""
        response = self._http.request(
            method,
            f"{self._stack.emulators_url}/printify/v1/shops/1/{path}",
            headers={"authorization": "Bearer printify_emulator_token", "user-agent": "tests"},
        )
        assert response.status_code == 200, response.text
        body: Json = response.json()
        return body

    def predictions(self) -> list[str]:
        """Ids of the predictions, newest first."""
        response = self._http.get(
            f"{self._stack.emulators_url}/replicate/v1/predictions",
            headers={"authorization": "Bearer r8_emulator"},
        )
        assert response.status_code == 200, response.text
        return [prediction["id"] for prediction in response.json()["results"]]

    def until(self, statement: str, *values: object, seconds: float = 60) -> Json:
        """The first row that a query finds, waiting until there is one."""
        deadline = time.monotonic() + seconds
        while True:
            rows = self.sql(statement, *values)
            if rows:
                return rows[0]
            assert time.monotonic() < deadline, f"never true: {statement}"
            time.sleep(0.05)

    def sweep(self) -> Json:
        """Skips the hours that the sweep would wait, and runs it."""
        for table, done in (("order_jobs", "done_at"), ("order_messages", "sent_at")):
            self.sql(
                f"update public.{table} set due_at = now() "
                f"where {done} is null and gave_up_at is null and leased_until is null"
            )
        return self.body_of("sweep", {}, self._stack.secret_key)


@dataclass(frozen=True)
class Shopper:
    """A signed-in person with a design that is ready to be ordered."""

    person: Person
    design_id: str
    product_id: str
    variants: dict[str, Json]

    @property
    def token(self) -> str:
        return self.person.token

    def cart(self, **changes: Any) -> Json:
        """create-payment-intent's body for one black M and two black L to the US."""
        lines = [("Black - M", 1), ("Black - L", 2)]
        body: Json = {
            "amount": 5970,
            "currency": "usd",
            "shipping_address": ADDRESS,
            "order_details": {"total_quantity": 3, "product_price": 19.9, "shipping_cost": 0},
            "design_info": {
                "id": self.design_id,
                "name": "Red dot",
                "image_data": "",
                "printify_product_id": self.product_id,
            },
            "order_items": [
                {
                    "id": self.variants[name]["id"],
                    "name": name,
                    "color": "Black",
                    "size": name.rpartition(" - ")[2],
                    "printify_variant_id": self.variants[name]["printify_variant_id"],
                    "product_id": self.product_id,
                    "quantity": quantity,
                    "image_url": "https://evil.example/x.png",
                }
                for name, quantity in lines
            ],
        }
        return body | changes


@pytest.fixture(scope="session")
def container(tmp_path_factory: pytest.TempPathFactory) -> Container:
    """The container of all functions, as its image would have it."""
    return Container(tmp_path_factory.mktemp("container"))


@pytest.fixture(scope="session")
def functions(stack: Stack) -> Functions:
    return Functions(stack)


@pytest.fixture(scope="session")
def variants(functions: Functions) -> dict[str, Json]:
    """The catalog by name."""
    rows = functions.sql("select id::text, name, printify_variant_id from public.product_variants")
    return {row["name"]: row for row in rows}


@pytest.fixture(scope="session")
def save_design(variants: dict[str, Json]) -> Callable[..., str]:
    """Saves a design as the browser does; its id."""

    def save(person: Person, image: str | None = None) -> str:
        row = {
            "user_id": person.id,
            "name": "Red dot",
            "image_data": image or png(),
            "thumbnail_data": "",
            "selected_colors": [variants["Black - S"]["id"]],
        }
        saved: Any = person.client.table("designs").insert(row).execute().data
        return str(saved[0]["id"])

    return save


@pytest.fixture(scope="session")
def shopper(
    functions: Functions, users: Users, variants: dict[str, Json], save_design: Callable[..., str]
) -> Shopper:
    """A user with a finished design."""
    person = users.new("shopper")
    design_id = save_design(person)
    body = {"designId": design_id, "imageBase64": png(), "selectedColors": [variants["Black - S"]["id"]]}
    made = functions.body_of("create-printify-product", body, person.token)
    return Shopper(person, design_id, made["printifyProductId"], variants)


@pytest.fixture(scope="session")
def stranger(users: Users) -> Person:
    return users.new("stranger")


@pytest.fixture(scope="session")
def admin(users: Users) -> Person:
    return users.new("admin", admin=True)


def address_of(shopper: Shopper, request: pytest.FixtureRequest) -> Json:
    return ADDRESS | {"address1": request.node.name[:100], "email": shopper.person.email}


@pytest.fixture
def placed(functions: Functions, shopper: Shopper, request: pytest.FixtureRequest) -> Json:
    """A pending order of the shopper's, with its intent; each test has an address, and so a cart, of its own."""
    address = address_of(shopper, request)
    return functions.body_of("create-payment-intent", shopper.cart(shipping_address=address), shopper.token)


@pytest.fixture
def paid(functions: Functions, shopper: Shopper, placed: Json) -> Json:
    """The same, paid with the card that works."""
    confirmed = functions.stripe(
        f"payment_intents/{placed['payment_intent_id']}/confirm", payment_method="pm_card_visa"
    )
    assert confirmed.json()["status"] == "succeeded"
    request = {"order_id": placed["order_id"], "status": "paid"}
    assert functions.body_of("update-order-status", request, shopper.token) == request
    return placed
