"""More states of tests/e2e/texts.json: the wizards, the mockup, the checkout."""

from __future__ import annotations

from collections.abc import Callable

from tests.e2e.pages.mocked_page import DESIGN_ID, ORDER_ID, PIXEL, MockedPage, design_row
from tests.e2e.pages.page_states import FAILURE, PageState, page_state
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


def _fill(mocked: MockedPage) -> None:
    page = mocked.page
    if "from-picture" in page.url:
        photo = sorted((ROOT / "tests" / "support" / "photos").glob("*.jpg"))[0]
        page.locator("input[type=file]").set_input_files(photo)
        page.get_by_role("button", name="Change").wait_for()
    else:
        page.get_by_label("Your idea").fill("A fox")
    page.get_by_role("button", name="Navy").click()


def _draw(body: object, status: int = 200) -> PageState:
    def play(mocked: MockedPage, go: Callable[[], None]) -> None:
        for call in _DRAW.values():
            mocked.respond(call, body, status=status)
        go()
        _fill(mocked)
        mocked.page.locator("main form button[type=submit]").click()

    return play


page_state("drawing takes a while")(_draw(...))
page_state("drawing fails without a reason")(_draw({}, 500))
page_state("drawn")(_draw({"image": PIXEL}))
page_state("drawn but damaged")(_draw({"image": "bm90IGEgcGljdHVyZQ=="}))


@page_state("photo and another style")
def _(mocked: MockedPage, go: Callable[[], None]) -> None:
    go()
    _fill(mocked)
    mocked.page.get_by_role("button", name="Other").click()


def _save(saved: int, product: object, status: int) -> PageState:
    def play(mocked: MockedPage, go: Callable[[], None]) -> None:
        mocked.respond("POST /rest/v1/design_uploads", {"id": DESIGN_ID}, status=201)
        for file in ("picture.png", "thumbnail.jpg"):
            mocked.respond(f"POST /storage/v1/object/designs/{mocked.person_id}/{DESIGN_ID}/{file}", {})
        mocked.respond("POST /rest/v1/designs", FAILURE if saved >= 400 else None, status=saved)
        mocked.respond("POST /functions/v1/create-printify-product", product, status=status)
        _draw({"image": PIXEL})(mocked, go)
        mocked.page.get_by_role("button", name="Save and Create Product").click()

    return play


page_state("saving fails without a reason")(_save(400, {}, 200))
page_state("the product fails")(_save(201, {"error": "no", "code": "no"}, 502))
page_state("saved")(_save(201, {"success": True, "printifyProductId": "p1"}, 200))


# --- mockup


def _mockup(**changes: object) -> PageState:
    def play(mocked: MockedPage, go: Callable[[], None]) -> None:
        mocked.respond("GET /rest/v1/product_variants", VARIANTS)
        mine = design_row(selected_colors=[COLOR_ID], user_id=mocked.person_id)
        mocked.respond("GET /rest/v1/designs", [mine | changes])
        go()

    return play


page_state("ready design")(_mockup())
page_state("unready design")(_mockup(printify_product_id=None))
page_state("unready design without a picture")(_mockup(printify_product_id=None, image_data=None))
page_state("unready design with a broken picture")(_mockup(printify_product_id=None, image_data="bm8="))
page_state("ready design without a color")(_mockup(selected_colors=[]))


@page_state("no such design")
def _(mocked: MockedPage, go: Callable[[], None]) -> None:
    mocked.respond("GET /rest/v1/designs", [])
    go()


@page_state("ready design whose mockup fails")
def _(mocked: MockedPage, go: Callable[[], None]) -> None:
    mocked.break_off("/mockup.jpg")
    _mockup()(mocked, go)


# --- checkout


def _order(mocked: MockedPage, go: Callable[[], None], *, card: bool = True) -> None:
    mocked.stripe(complete=card)
    mocked.profile()
    mocked.respond("GET /rest/v1/product_variants", VARIANTS)
    mocked.respond("GET /rest/v1/user_addresses", [])
    mine = design_row(selected_colors=[COLOR_ID], user_id=mocked.person_id)
    mocked.respond("GET /rest/v1/designs", [mine])
    go()


@page_state("own design")
def _(mocked: MockedPage, go: Callable[[], None]) -> None:
    _order(mocked, go)


@page_state("sizes are loading")
def _(mocked: MockedPage, go: Callable[[], None]) -> None:
    mocked.respond("GET /rest/v1/designs", [design_row(user_id=mocked.person_id)])
    mocked.respond("GET /rest/v1/product_variants", ...)
    go()


@page_state("order abroad")
def _(mocked: MockedPage, go: Callable[[], None]) -> None:
    _order(mocked, go)
    mocked.page.get_by_label("Country").select_option(label="Canada")


def _submit(mocked: MockedPage) -> None:
    """Submits the form as the Enter key does, without the button."""
    mocked.page.evaluate("document.querySelector('main form').requestSubmit()")


@page_state("pay without a name")
def _(mocked: MockedPage, go: Callable[[], None]) -> None:
    _order(mocked, go)
    mocked.page.get_by_label("First name").fill("")
    _submit(mocked)


def _zip(body: object, status: int = 200) -> PageState:
    def play(mocked: MockedPage, go: Callable[[], None]) -> None:
        mocked.respond("POST /functions/v1/lookup-zip-code", body, status=status)
        _order(mocked, go)
        mocked.page.get_by_label("ZIP code").fill("90210")

    return play


page_state("ZIP found")(_zip({"city": "Beverly Hills", "state": "CA"}))
page_state("ZIP unknown")(_zip({"error": "ZIP code not found"}))
page_state("ZIP refused")(_zip({"error": "Too many questions."}))
page_state("ZIP look-up fails")(_zip({"error": "down", "code": "down"}, 500))


@page_state("ZIP look-up unreachable")
def _(mocked: MockedPage, go: Callable[[], None]) -> None:
    mocked.break_off("/functions/v1/lookup-zip-code")
    _order(mocked, go)
    mocked.page.get_by_label("ZIP code").fill("90210")


def _ready_to_pay(
    mocked: MockedPage, go: Callable[[], None], *, size: bool = True, card: bool = True
) -> None:
    mocked.respond("POST /functions/v1/lookup-zip-code", {"city": "Beverly Hills", "state": "CA"})
    _order(mocked, go, card=card)
    if size:
        mocked.page.get_by_role("button", name="Increase M quantity").click()
    fill_address(mocked.page, BEVERLY_HILLS)
    mocked.page.wait_for_function("() => document.querySelector('[name=city]').value === 'Beverly Hills'")


@page_state("pay without a size")
def _(mocked: MockedPage, go: Callable[[], None]) -> None:
    _ready_to_pay(mocked, go, size=False)
    _submit(mocked)


@page_state("pay without a card")
def _(mocked: MockedPage, go: Callable[[], None]) -> None:
    _ready_to_pay(mocked, go, card=False)
    _submit(mocked)


def _pay(intent: int = 200, printing: int = 200, address: int = 201) -> PageState:
    def play(mocked: MockedPage, go: Callable[[], None]) -> None:
        placed = {"client_secret": "pi_1_secret_1", "order_id": ORDER_ID, "payment_intent_id": "pi_1"}
        mocked.respond(
            "POST /functions/v1/create-payment-intent", placed if intent < 400 else {}, status=intent
        )
        mocked.respond("POST /functions/v1/update-order-status", {"order_id": ORDER_ID, "status": "paid"})
        mocked.respond("POST /functions/v1/create-printify-order", {"success": True}, status=printing)
        mocked.respond("POST /functions/v1/send-order-webhook", {"success": True})
        mocked.respond("POST /rest/v1/user_addresses", {"id": DESIGN_ID}, status=address)
        _ready_to_pay(mocked, go)
        mocked.page.get_by_role("button", name="Pay $19.90").click()

    return play


page_state("payment fails without a reason")(_pay(intent=500))
page_state("printing fails")(_pay(printing=502))
page_state("paid")(_pay())
page_state("paid, but the address is not saved")(_pay(address=400))
