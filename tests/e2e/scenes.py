"""The states of tests/e2e/texts.json: each brings a page to where the specification's texts show."""

from __future__ import annotations

from collections.abc import Callable

from tests.e2e.stage import DESIGN_ID, Stage, design_row, gallery_row, order_row, shared_design_row

# Takes the stage and a function that opens the state's route.
Scene = Callable[[Stage, Callable[[], None]], None]
SCENES: dict[str, Scene] = {}
FAILURE = {"message": ""}


def scene(*names: str) -> Callable[[Scene], Scene]:
    """Registers a state under its names."""

    def keep(made: Scene) -> Scene:
        SCENES.update(dict.fromkeys(names, made))
        return made

    return keep


@scene("visitor", "signed in")
def _(stage: Stage, go: Callable[[], None]) -> None:
    go()


# --- signing in


@scene("visitor chooses to create an account")
def _(stage: Stage, go: Callable[[], None]) -> None:
    go()
    stage.page.get_by_role("button", name="Create an account").click()


@scene("visitor chooses email")
def _(stage: Stage, go: Callable[[], None]) -> None:
    go()
    stage.page.get_by_role("button", name="Continue with email").click()


def _sign_in(stage: Stage, button: str) -> None:
    stage.page.get_by_label("Email").fill("vera@example.com")
    stage.page.get_by_label("Password", exact=True).fill("a long enough password")
    stage.page.get_by_role("button", name=button, exact=True).click()


@scene("logging in fails without a reason")
def _(stage: Stage, go: Callable[[], None]) -> None:
    stage.answer("POST /auth/v1/token", {}, status=500)
    go()
    stage.page.get_by_role("button", name="Continue with email").click()
    _sign_in(stage, "Log in")


@scene("Google is switched off")
def _(stage: Stage, go: Callable[[], None]) -> None:
    stage.answer("GET /auth/v1/settings", {"external": {"google": False}})
    go()
    stage.page.get_by_role("button", name="Continue with Google").click()


@scene("signing up takes a while")
def _(stage: Stage, go: Callable[[], None]) -> None:
    stage.answer("POST /auth/v1/signup", ...)
    go()
    _sign_in(stage, "Sign up with email")


@scene("signing up fails without a reason")
def _(stage: Stage, go: Callable[[], None]) -> None:
    stage.answer("POST /auth/v1/signup", {}, status=500)
    go()
    _sign_in(stage, "Sign up with email")


@scene("signed up")
def _(stage: Stage, go: Callable[[], None]) -> None:
    stage.answer("POST /auth/v1/signup", {"id": DESIGN_ID, "email": "vera@example.com"})
    go()
    _sign_in(stage, "Sign up with email")


@scene("session is loading")
def _(stage: Stage, go: Callable[[], None]) -> None:
    stage.page.route("**/assets/dist-*.js", lambda _route: None)
    go()


# --- dashboard


def _dashboard(stage: Stage, go: Callable[[], None], *, named: bool = True, **design: object) -> None:
    stage.profile(public_name="Inky" if named else None)
    stage.answer("GET /rest/v1/designs", [design_row(**design)], total=1)
    stage.answer("GET /rest/v1/orders", [])
    go()
    stage.page.get_by_role("link", name="A fox").wait_for()
    # Whether a name has to be asked for stands in the profile.
    stage.page.get_by_text("Hello, ").wait_for()


@scene("nothing there")
def _(stage: Stage, go: Callable[[], None]) -> None:
    stage.answer("GET /rest/v1/designs", [], total=0)
    stage.answer("GET /rest/v1/orders", [])
    go()


@scene("lists are loading")
def _(stage: Stage, go: Callable[[], None]) -> None:
    stage.answer("GET /rest/v1/designs", ...)
    stage.answer("GET /rest/v1/orders", ...)
    go()


@scene("lists fail")
def _(stage: Stage, go: Callable[[], None]) -> None:
    stage.answer("GET /rest/v1/designs", {"message": "no such luck", "code": "42"}, status=400)
    go()


@scene("one private design")
def _(stage: Stage, go: Callable[[], None]) -> None:
    _dashboard(stage, go, printify_product_id=None)


@scene("one public design")
def _(stage: Stage, go: Callable[[], None]) -> None:
    _dashboard(stage, go, public_designs={"id": "x"})


def _rename(name: str, status: int) -> Scene:
    def play(stage: Stage, go: Callable[[], None]) -> None:
        stage.answer("PATCH /rest/v1/designs", FAILURE, status=status)
        _dashboard(stage, go)
        stage.page.get_by_role("button", name="Rename: A fox").click()
        stage.page.get_by_label("Design name").fill(name)
        stage.page.keyboard.press("Enter")

    return play


scene("rename to nothing")(_rename(" ", 204))
scene("rename")(_rename("A badger", 204))
scene("rename fails")(_rename("A badger", 400))


def _delete(status: int) -> Scene:
    def play(stage: Stage, go: Callable[[], None]) -> None:
        stage.answer("DELETE /rest/v1/designs", FAILURE, status=status)
        _dashboard(stage, go)
        stage.page.get_by_role("button", name="Delete: A fox").click()
        stage.page.get_by_role("button", name="Delete", exact=True).click()

    return play


scene("delete")(_delete(204))
scene("delete fails")(_delete(400))


def _toggle(call: str, body: object, status: int, *, public: bool, named: bool = True) -> Scene:
    def play(stage: Stage, go: Callable[[], None]) -> None:
        stage.answer(call, body, status=status)
        _dashboard(stage, go, named=named, public_designs={"id": "x"} if public else None)
        stage.page.get_by_role("button", name="Public: A fox" if public else "Private: A fox").click()

    return play


_PUBLISH, _UNPUBLISH = "POST /rest/v1/public_designs", "DELETE /rest/v1/public_designs"
scene("publish without a public name")(_toggle(_PUBLISH, ..., 201, public=False, named=False))
scene("publish")(_toggle(_PUBLISH, None, 201, public=False))
scene("publish fails")(_toggle(_PUBLISH, FAILURE, 400, public=False))
scene("publish takes a while")(_toggle(_PUBLISH, ..., 201, public=False))
scene("unpublish")(_toggle(_UNPUBLISH, None, 204, public=True))
scene("unpublish fails")(_toggle(_UNPUBLISH, FAILURE, 400, public=True))
scene("unpublish takes a while")(_toggle(_UNPUBLISH, ..., 204, public=True))


def _copy(stage: Stage, go: Callable[[], None]) -> None:
    _dashboard(stage, go)
    stage.page.get_by_role("button", name="Copy link: A fox").click()


@scene("copy link")
def _(stage: Stage, go: Callable[[], None]) -> None:
    stage.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    _copy(stage, go)


@scene("copy link without a clipboard")
def _(stage: Stage, go: Callable[[], None]) -> None:
    stage.no_clipboard()
    _copy(stage, go)


@scene("an order of each status")
def _(stage: Stage, go: Callable[[], None]) -> None:
    statuses = ("pending", "paid", "processing", "shipped", "delivered", "cancelled")
    orders = [
        order_row(id=f"{n}0000000-0000-4000-8000-0000000abcde", status=s) for n, s in enumerate(statuses)
    ]
    stage.answer("GET /rest/v1/orders", orders)
    go()


# --- orders and profile


@scene("no such order")
def _(stage: Stage, go: Callable[[], None]) -> None:
    go()


@scene("an order")
def _(stage: Stage, go: Callable[[], None]) -> None:
    stage.answer("GET /rest/v1/orders", order_row())
    go()


@scene("international preview")
def _(stage: Stage, go: Callable[[], None]) -> None:
    go()
    stage.page.get_by_role("button", name="International delivery").click()


def _profile(status: int) -> Scene:
    def play(stage: Stage, go: Callable[[], None]) -> None:
        stage.profile()
        stage.answer("PATCH /rest/v1/profiles", FAILURE, status=status)
        go()
        stage.page.get_by_role("button", name="Update Profile").click()

    return play


scene("updated")(_profile(204))
scene("update fails without a reason")(_profile(400))


# --- gallery and shared designs


def _gallery(stage: Stage, go: Callable[[], None], total: int = 1, **design: object) -> None:
    stage.answer("GET /rest/v1/public_designs", [gallery_row(**design)], total=total, only="designs")
    stage.answer("GET /rest/v1/design_likes", [])
    go()


@scene("search without a find")
def _(stage: Stage, go: Callable[[], None]) -> None:
    go()
    stage.page.get_by_placeholder("Search designs...").fill("zzz nothing is called that")


@scene("nothing public")
def _(stage: Stage, go: Callable[[], None]) -> None:
    stage.answer("GET /rest/v1/public_designs", [], total=0)
    go()


@scene("all thirteen loaded")
def _(stage: Stage, go: Callable[[], None]) -> None:
    rows = [gallery_row(id=f"00000000-0000-4000-8000-0000000000{n}") for n in range(10, 23)]
    stage.answer("GET /rest/v1/public_designs", rows, total=13)
    stage.answer("GET /rest/v1/profiles", [], only="public_name&id=in")
    stage.answer("GET /rest/v1/design_likes", [])
    go()


@scene("visitor likes")
def _(stage: Stage, go: Callable[[], None]) -> None:
    _gallery(stage, go)
    stage.page.get_by_role("button", name="Like: A fox").click()


@scene("like fails")
def _(stage: Stage, go: Callable[[], None]) -> None:
    stage.answer("POST /rest/v1/design_likes", FAILURE, status=400)
    _gallery(stage, go)
    stage.page.get_by_role("button", name="Like: A fox").click()


def _open(stage: Stage, go: Callable[[], None]) -> None:
    _gallery(stage, go)
    stage.page.get_by_role("button", name="A fox", exact=True).click()


@scene("opened")
def _(stage: Stage, go: Callable[[], None]) -> None:
    _open(stage, go)


def _import(body: object, status: int) -> Scene:
    def play(stage: Stage, go: Callable[[], None]) -> None:
        stage.answer("POST /functions/v1/import-design", body, status=status)
        _open(stage, go)
        stage.page.get_by_role("button", name="Use This Design").click()

    return play


scene("import takes a while")(_import(..., 200))
scene("import fails")(_import({"error": "no", "code": "no"}, 500))
scene("import")(_import({"success": True, "designId": DESIGN_ID}, 200))


@scene("share without a clipboard")
def _(stage: Stage, go: Callable[[], None]) -> None:
    stage.no_clipboard()
    _gallery(stage, go)
    stage.page.get_by_role("button", name="Share: A fox").click()


def _shared(stage: Stage, go: Callable[[], None], rows: object) -> None:
    stage.answer("GET /rest/v1/rpc/get_shared_design", rows)
    go()


@scene("shared design is loading")
def _(stage: Stage, go: Callable[[], None]) -> None:
    _shared(stage, go, ...)


@scene("private shared design")
def _(stage: Stage, go: Callable[[], None]) -> None:
    _shared(stage, go, [shared_design_row()])


@scene("shared design without a picture")
def _(stage: Stage, go: Callable[[], None]) -> None:
    stage.pictures(404)
    _shared(stage, go, [shared_design_row()])


@scene("no such shared design")
def _(stage: Stage, go: Callable[[], None]) -> None:
    _shared(stage, go, [])


@scene("importing a shared design")
def _(stage: Stage, go: Callable[[], None]) -> None:
    stage.answer("POST /functions/v1/import-design", ...)
    _shared(stage, go, [shared_design_row()])
    stage.page.get_by_role("button", name="Use This Design").click()
