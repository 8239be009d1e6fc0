"""The states of tests/e2e/texts.json: each brings a page to where the specification's texts show."""

from __future__ import annotations

from collections.abc import Callable

from tests.e2e.pages.mocked_page import (
    DESIGN_ID,
    MockedPage,
    design_row,
    gallery_row,
    order_row,
    shared_design_row,
)

# Takes the mocked page and a function that opens the state's route.
PageState = Callable[[MockedPage, Callable[[], None]], None]
PAGE_STATES: dict[str, PageState] = {}
FAILURE = {"message": ""}


def page_state(*names: str) -> Callable[[PageState], PageState]:
    """Registers a state under its names."""

    def register(made: PageState) -> PageState:
        PAGE_STATES.update(dict.fromkeys(names, made))
        return made

    return register


@page_state("visitor", "signed in")
def _(mocked: MockedPage, go: Callable[[], None]) -> None:
    go()


# --- signing in


@page_state("visitor chooses to create an account")
def _(mocked: MockedPage, go: Callable[[], None]) -> None:
    go()
    mocked.page.get_by_role("button", name="Create an account").click()


@page_state("visitor chooses email")
def _(mocked: MockedPage, go: Callable[[], None]) -> None:
    go()
    mocked.page.get_by_role("button", name="Continue with email").click()


def _sign_in(mocked: MockedPage, button: str) -> None:
    mocked.page.get_by_label("Email").fill("vera@example.com")
    mocked.page.get_by_label("Password", exact=True).fill("a long enough password")
    mocked.page.get_by_role("button", name=button, exact=True).click()


@page_state("logging in fails without a reason")
def _(mocked: MockedPage, go: Callable[[], None]) -> None:
    mocked.respond("POST /auth/v1/token", {}, status=500)
    go()
    mocked.page.get_by_role("button", name="Continue with email").click()
    _sign_in(mocked, "Log in")


@page_state("Google is switched off")
def _(mocked: MockedPage, go: Callable[[], None]) -> None:
    mocked.respond("GET /auth/v1/settings", {"external": {"google": False}})
    go()
    mocked.page.get_by_role("button", name="Continue with Google").click()


@page_state("signing up takes a while")
def _(mocked: MockedPage, go: Callable[[], None]) -> None:
    mocked.respond("POST /auth/v1/signup", ...)
    go()
    _sign_in(mocked, "Sign up with email")


@page_state("signing up fails without a reason")
def _(mocked: MockedPage, go: Callable[[], None]) -> None:
    mocked.respond("POST /auth/v1/signup", {}, status=500)
    go()
    _sign_in(mocked, "Sign up with email")


@page_state("signed up")
def _(mocked: MockedPage, go: Callable[[], None]) -> None:
    mocked.respond("POST /auth/v1/signup", {"id": DESIGN_ID, "email": "vera@example.com"})
    go()
    _sign_in(mocked, "Sign up with email")


@page_state("session is loading")
def _(mocked: MockedPage, go: Callable[[], None]) -> None:
    mocked.page.route("**/assets/dist-*.js", lambda _route: None)
    go()


# --- dashboard


def _dashboard(mocked: MockedPage, go: Callable[[], None], *, named: bool = True, **design: object) -> None:
    mocked.profile(public_name="Inky" if named else None)
    mocked.respond("GET /rest/v1/designs", [design_row(**design)], total=1)
    mocked.respond("GET /rest/v1/orders", [])
    go()
    mocked.page.get_by_role("link", name="A fox").wait_for()
    # The profile says whether the page has to request a name.
    mocked.page.get_by_text("Hello, ").wait_for()


@page_state("nothing there")
def _(mocked: MockedPage, go: Callable[[], None]) -> None:
    mocked.respond("GET /rest/v1/designs", [], total=0)
    mocked.respond("GET /rest/v1/orders", [])
    go()


@page_state("lists are loading")
def _(mocked: MockedPage, go: Callable[[], None]) -> None:
    mocked.respond("GET /rest/v1/designs", ...)
    mocked.respond("GET /rest/v1/orders", ...)
    go()


@page_state("lists fail")
def _(mocked: MockedPage, go: Callable[[], None]) -> None:
    mocked.respond("GET /rest/v1/designs", {"message": "no such luck", "code": "42"}, status=400)
    go()


@page_state("one private design")
def _(mocked: MockedPage, go: Callable[[], None]) -> None:
    _dashboard(mocked, go, printify_product_id=None)


@page_state("one public design")
def _(mocked: MockedPage, go: Callable[[], None]) -> None:
    _dashboard(mocked, go, public_designs={"id": "x"})


def _rename(name: str, status: int) -> PageState:
    def play(mocked: MockedPage, go: Callable[[], None]) -> None:
        mocked.respond("PATCH /rest/v1/designs", FAILURE, status=status)
        _dashboard(mocked, go)
        mocked.page.get_by_role("button", name="Rename: A fox").click()
        mocked.page.get_by_label("Design name").fill(name)
        mocked.page.keyboard.press("Enter")

    return play


page_state("rename to nothing")(_rename(" ", 204))
page_state("rename")(_rename("A badger", 204))
page_state("rename fails")(_rename("A badger", 400))


def _delete(status: int) -> PageState:
    def play(mocked: MockedPage, go: Callable[[], None]) -> None:
        mocked.respond("DELETE /rest/v1/designs", FAILURE, status=status)
        _dashboard(mocked, go)
        mocked.page.get_by_role("button", name="Delete: A fox").click()
        mocked.page.get_by_role("button", name="Delete", exact=True).click()

    return play


page_state("delete")(_delete(204))
page_state("delete fails")(_delete(400))


def _toggle(call: str, body: object, status: int, *, public: bool, named: bool = True) -> PageState:
    def play(mocked: MockedPage, go: Callable[[], None]) -> None:
        mocked.respond(call, body, status=status)
        _dashboard(mocked, go, named=named, public_designs={"id": "x"} if public else None)
        mocked.page.get_by_role("button", name="Public: A fox" if public else "Private: A fox").click()

    return play


_PUBLISH, _UNPUBLISH = "POST /rest/v1/public_designs", "DELETE /rest/v1/public_designs"
page_state("publish without a public name")(_toggle(_PUBLISH, ..., 201, public=False, named=False))
_PUBLISHED = {"id": "00000000-0000-4000-8000-0000000000a1", "designs": {"thumbnail_url": None}}
page_state("publish")(_toggle(_PUBLISH, _PUBLISHED, 201, public=False))
page_state("publish fails")(_toggle(_PUBLISH, FAILURE, 400, public=False))
page_state("publish takes a while")(_toggle(_PUBLISH, ..., 201, public=False))
page_state("unpublish")(_toggle(_UNPUBLISH, None, 204, public=True))
page_state("unpublish fails")(_toggle(_UNPUBLISH, FAILURE, 400, public=True))
page_state("unpublish takes a while")(_toggle(_UNPUBLISH, ..., 204, public=True))


def _go_without_clipboard(mocked: MockedPage, go: Callable[[], None]) -> Callable[[], None]:
    def go_there() -> None:
        go()
        mocked.no_clipboard()

    return go_there


def _copy(mocked: MockedPage, go: Callable[[], None]) -> None:
    _dashboard(mocked, go)
    mocked.page.get_by_role("button", name="Copy link: A fox").click()


@page_state("copy link")
def _(mocked: MockedPage, go: Callable[[], None]) -> None:
    mocked.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    _copy(mocked, go)


@page_state("copy link without a clipboard")
def _(mocked: MockedPage, go: Callable[[], None]) -> None:
    _copy(mocked, _go_without_clipboard(mocked, go))


@page_state("an order of each status")
def _(mocked: MockedPage, go: Callable[[], None]) -> None:
    statuses = ("pending", "paid", "processing", "shipped", "delivered", "cancelled")
    orders = [
        order_row(id=f"{n}0000000-0000-4000-8000-0000000abcde", status=s) for n, s in enumerate(statuses)
    ]
    mocked.respond("GET /rest/v1/orders", orders)
    go()


# --- orders and profile


@page_state("no such order")
def _(mocked: MockedPage, go: Callable[[], None]) -> None:
    go()


@page_state("an order")
def _(mocked: MockedPage, go: Callable[[], None]) -> None:
    mocked.respond("GET /rest/v1/orders", order_row())
    go()


@page_state("international preview")
def _(mocked: MockedPage, go: Callable[[], None]) -> None:
    go()
    mocked.page.get_by_role("button", name="International delivery").click()


def _profile(status: int) -> PageState:
    def play(mocked: MockedPage, go: Callable[[], None]) -> None:
        mocked.profile()
        mocked.respond("PATCH /rest/v1/profiles", FAILURE, status=status)
        go()
        mocked.page.get_by_role("button", name="Update Profile").click()

    return play


page_state("updated")(_profile(204))
page_state("update fails without a reason")(_profile(400))


# --- gallery and shared designs


def _gallery(mocked: MockedPage, go: Callable[[], None], **design: object) -> None:
    mocked.respond("GET /rest/v1/public_designs", [gallery_row(**design)], only="designs")
    mocked.respond("GET /rest/v1/design_likes", [])
    go()


@page_state("search without a find")
def _(mocked: MockedPage, go: Callable[[], None]) -> None:
    go()
    mocked.page.get_by_placeholder("Search designs...").fill("zzz nothing is called that")


@page_state("nothing public")
def _(mocked: MockedPage, go: Callable[[], None]) -> None:
    mocked.respond("GET /rest/v1/public_designs", [])
    go()


@page_state("all thirteen loaded")
def _(mocked: MockedPage, go: Callable[[], None]) -> None:
    rows = [gallery_row(id=f"00000000-0000-4000-8000-0000000000{n}") for n in range(10, 23)]
    mocked.respond("GET /rest/v1/public_designs", rows)
    mocked.respond("GET /rest/v1/profiles", [], only="public_name&id=in")
    mocked.respond("GET /rest/v1/design_likes", [])
    go()


@page_state("visitor likes")
def _(mocked: MockedPage, go: Callable[[], None]) -> None:
    _gallery(mocked, go)
    mocked.page.get_by_role("button", name="Like: A fox").click()


@page_state("like fails")
def _(mocked: MockedPage, go: Callable[[], None]) -> None:
    mocked.respond("POST /rest/v1/design_likes", FAILURE, status=400)
    _gallery(mocked, go)
    mocked.page.get_by_role("button", name="Like: A fox").click()


def _open(mocked: MockedPage, go: Callable[[], None]) -> None:
    _gallery(mocked, go)
    mocked.page.get_by_role("button", name="A fox", exact=True).click()


@page_state("opened")
def _(mocked: MockedPage, go: Callable[[], None]) -> None:
    _open(mocked, go)


def _import(body: object, status: int) -> PageState:
    def play(mocked: MockedPage, go: Callable[[], None]) -> None:
        mocked.respond("POST /functions/v1/import-design", body, status=status)
        _open(mocked, go)
        mocked.page.get_by_role("button", name="Use This Design").click()

    return play


page_state("import takes a while")(_import(..., 200))
page_state("import fails")(_import({"error": "no", "code": "no"}, 500))
page_state("import")(_import({"success": True, "designId": DESIGN_ID}, 200))


@page_state("share without a clipboard")
def _(mocked: MockedPage, go: Callable[[], None]) -> None:
    _gallery(mocked, _go_without_clipboard(mocked, go))
    mocked.page.get_by_role("button", name="Share: A fox").click()


def _shared(mocked: MockedPage, go: Callable[[], None], rows: object) -> None:
    mocked.respond("GET /rest/v1/rpc/get_shared_design", rows)
    go()


@page_state("shared design is loading")
def _(mocked: MockedPage, go: Callable[[], None]) -> None:
    _shared(mocked, go, ...)


@page_state("private shared design")
def _(mocked: MockedPage, go: Callable[[], None]) -> None:
    _shared(mocked, go, [shared_design_row()])


@page_state("shared design without a picture")
def _(mocked: MockedPage, go: Callable[[], None]) -> None:
    mocked.pictures(404)
    _shared(mocked, go, [shared_design_row()])


@page_state("no such shared design")
def _(mocked: MockedPage, go: Callable[[], None]) -> None:
    _shared(mocked, go, [])


@page_state("importing a shared design")
def _(mocked: MockedPage, go: Callable[[], None]) -> None:
    mocked.respond("POST /functions/v1/import-design", ...)
    _shared(mocked, go, [shared_design_row()])
    mocked.page.get_by_role("button", name="Use This Design").click()
