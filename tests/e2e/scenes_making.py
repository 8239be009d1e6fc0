"""More states of tests/e2e/texts.json: the wizards, the mockup, the checkout."""

from __future__ import annotations

from collections.abc import Callable

from tests.e2e.scenes import FAILURE, Scene, scene
from tests.e2e.stage import DESIGN_ID, ORDER_ID, PIXEL, Stage, design_row
from tests.e2e.steps import Address, fill_address
from tests.support.stacks import ROOT

COLOR_ID = "00000000-0000-4000-8000-00000000c001"
VARIANTS = [
    {"id": COLOR_ID, "name": "Navy - M", "color_hex": "#1F2A44", "printify_variant_id": 11987},
    {
        "id": "00000000-0000-4000-8000-00000000c002",
        "name": "Navy - L",
        "color_hex": "#1F2A44",
        "printify_variant_id": 11988,
    },
]
BEVERLY_HILLS = Address("United States", "90210", "9465 Wilshire Blvd", "3105550100")
_DRAW = {
    "/design/from-picture": "POST /functions/v1/edit-design-image",
    "/design/ai-generator": "POST /functions/v1/generate-design-image",
}


# --- wizards


def _fill(stage: Stage) -> None:
    page = stage.page
    if "from-picture" in page.url:
        photo = sorted((ROOT / "tests" / "support" / "photos").glob("*.jpg"))[0]
        page.locator("input[type=file]").set_input_files(photo)
        page.get_by_role("button", name="Change").wait_for()
    else:
        page.get_by_label("Your idea").fill("A fox")
    page.get_by_role("button", name="Navy").click()


def _draw(body: object, status: int = 200) -> Scene:
    def play(stage: Stage, go: Callable[[], None]) -> None:
        for call in _DRAW.values():
            stage.answer(call, body, status=status)
        go()
        _fill(stage)
        stage.page.locator("main form button[type=submit]").click()

    return play


scene("drawing takes a while")(_draw(...))
scene("drawing fails without a reason")(_draw({}, 500))
scene("drawn")(_draw({"image": PIXEL}))
scene("drawn but damaged")(_draw({"image": "bm90IGEgcGljdHVyZQ=="}))


@scene("photo and another style")
def _(stage: Stage, go: Callable[[], None]) -> None:
    go()
    _fill(stage)
    stage.page.get_by_role("button", name="Other").click()


def _save(saved: int, product: object, status: int) -> Scene:
    def play(stage: Stage, go: Callable[[], None]) -> None:
        stage.answer("POST /rest/v1/designs", FAILURE if saved >= 400 else {"id": DESIGN_ID}, status=saved)
        stage.answer("POST /functions/v1/create-printify-product", product, status=status)
        _draw({"image": PIXEL})(stage, go)
        stage.page.get_by_role("button", name="Save and Create Product").click()

    return play


scene("saving fails without a reason")(_save(400, {}, 200))
scene("the product fails")(_save(201, {"error": "no", "code": "no"}, 502))
scene("saved")(_save(201, {"success": True, "printifyProductId": "p1"}, 200))


# --- mockup


def _mockup(**changes: object) -> Scene:
    def play(stage: Stage, go: Callable[[], None]) -> None:
        stage.answer("GET /rest/v1/product_variants", VARIANTS)
        mine = design_row(selected_colors=[COLOR_ID], user_id=stage.person_id)
        stage.answer("GET /rest/v1/designs", [mine | changes])
        go()

    return play


scene("ready design")(_mockup())
scene("unready design")(_mockup(printify_product_id=None))
scene("unready design without a picture")(_mockup(printify_product_id=None, image_data=None))
scene("unready design with a broken picture")(_mockup(printify_product_id=None, image_data="bm8="))
scene("ready design without a color")(_mockup(selected_colors=[]))


@scene("no such design")
def _(stage: Stage, go: Callable[[], None]) -> None:
    stage.answer("GET /rest/v1/designs", [])
    go()


@scene("ready design whose mockup fails")
def _(stage: Stage, go: Callable[[], None]) -> None:
    stage.break_off("/mockup.jpg")
    _mockup()(stage, go)


# --- checkout


def _order(stage: Stage, go: Callable[[], None], *, card: bool = True) -> None:
    stage.stripe(complete=card)
    stage.profile()
    stage.answer("GET /rest/v1/product_variants", VARIANTS)
    stage.answer("GET /rest/v1/user_addresses", [])
    mine = design_row(selected_colors=[COLOR_ID], user_id=stage.person_id)
    stage.answer("GET /rest/v1/designs", [mine])
    go()


@scene("own design")
def _(stage: Stage, go: Callable[[], None]) -> None:
    _order(stage, go)


@scene("sizes are loading")
def _(stage: Stage, go: Callable[[], None]) -> None:
    stage.answer("GET /rest/v1/designs", [design_row(user_id=stage.person_id)])
    stage.answer("GET /rest/v1/product_variants", ...)
    go()


@scene("order abroad")
def _(stage: Stage, go: Callable[[], None]) -> None:
    _order(stage, go)
    stage.page.get_by_label("Country").select_option(label="Canada")


def _submit(stage: Stage) -> None:
    """As a browser submits with the Enter key, whatever the button says."""
    stage.page.evaluate("document.querySelector('main form').requestSubmit()")


@scene("pay without a name")
def _(stage: Stage, go: Callable[[], None]) -> None:
    _order(stage, go)
    stage.page.get_by_label("First name").fill("")
    _submit(stage)


def _zip(body: object, status: int = 200) -> Scene:
    def play(stage: Stage, go: Callable[[], None]) -> None:
        stage.answer("POST /functions/v1/lookup-zip-code", body, status=status)
        _order(stage, go)
        stage.page.get_by_label("ZIP code").fill("90210")

    return play


scene("ZIP found")(_zip({"city": "Beverly Hills", "state": "CA"}))
scene("ZIP unknown")(_zip({"error": "ZIP code not found"}))
scene("ZIP refused")(_zip({"error": "Too many questions."}))
scene("ZIP look-up fails")(_zip({"error": "down", "code": "down"}, 500))


@scene("ZIP look-up unreachable")
def _(stage: Stage, go: Callable[[], None]) -> None:
    stage.break_off("/functions/v1/lookup-zip-code")
    _order(stage, go)
    stage.page.get_by_label("ZIP code").fill("90210")


def _ready_to_pay(stage: Stage, go: Callable[[], None], *, size: bool = True, card: bool = True) -> None:
    stage.answer("POST /functions/v1/lookup-zip-code", {"city": "Beverly Hills", "state": "CA"})
    _order(stage, go, card=card)
    if size:
        stage.page.get_by_role("button", name="Increase M quantity").click()
    fill_address(stage.page, BEVERLY_HILLS)
    stage.page.wait_for_function("document.querySelector('[name=city]').value === 'Beverly Hills'")


@scene("pay without a size")
def _(stage: Stage, go: Callable[[], None]) -> None:
    _ready_to_pay(stage, go, size=False)
    _submit(stage)


@scene("pay without a card")
def _(stage: Stage, go: Callable[[], None]) -> None:
    _ready_to_pay(stage, go, card=False)
    _submit(stage)


def _pay(intent: int = 200, printing: int = 200, address: int = 201) -> Scene:
    def play(stage: Stage, go: Callable[[], None]) -> None:
        placed = {"client_secret": "pi_1_secret_1", "order_id": ORDER_ID, "payment_intent_id": "pi_1"}
        stage.answer(
            "POST /functions/v1/create-payment-intent", placed if intent < 400 else {}, status=intent
        )
        stage.answer("POST /functions/v1/update-order-status", {"order_id": ORDER_ID, "status": "paid"})
        stage.answer("POST /functions/v1/create-printify-order", {"success": True}, status=printing)
        stage.answer("POST /functions/v1/send-order-webhook", {"success": True})
        stage.answer("POST /rest/v1/user_addresses", {"id": DESIGN_ID}, status=address)
        _ready_to_pay(stage, go)
        stage.page.get_by_role("button", name="Pay $19.90").click()

    return play


scene("payment fails without a reason")(_pay(intent=500))
scene("printing fails")(_pay(printing=502))
scene("paid")(_pay())
scene("paid, but the address is not saved")(_pay(address=400))
