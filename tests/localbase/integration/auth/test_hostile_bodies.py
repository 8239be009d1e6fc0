"""Wrong types in every field, and bodies that are no JSON: none is a 5xx, none leaves a traceback.

A field takes one value of every other kind, and the next one of the kinds between: the long form gives all to all.
"""

from __future__ import annotations

import http.client
import json
import re
import uuid
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any, TypeVar
from urllib.parse import quote

import httpx
import pytest

from tests.localbase.integration.auth.calls import PASSWORD_HASH, as_admin, call, sign_in
from tests.localbase.integration.auth.upstream_routes import UPSTREAM_ROUTES, UpstreamRoute
from tests.localbase.integration.small_project import until
from tests.support.random_cases import TIMES, one_of_each
from tests.support.stacks import Stack

# By kinds. As JSON. A factor's and a user's own words may be any text, so those without NUL are stored.
VALUES = (
    ("null", "true"),
    ("0", "-1", "1.5", "9" * 40),
    ("1e999", "NaN"),
    ('""', '" "'),
    ("[]", "[[null]]", "{}", '{"a":{"b":[]}}'),
    ('"\\u0000"', '"a\\u0000b"', '{"\\u0000":"\\u0000"}'),
    ('"\\ud800"', '"\\udfff\\ud800"', '"\u2028\u0130\ufb01"'),
    ('"\'; --"', '"%00"', '"../.."'),
    ('"a@b@c"', '"\\r\\nBcc: a@example.com"'),
    ('"' + "a" * 70_000 + '"', '"' + "é" * 70_000 + '"'),
    ("[" * 300 + "]" * 300, '{"a":' * 300 + "1" + "}" * 300),
)
BODIES = (
    (b"",),
    (b"null", b"1", b'"text"', b"[]", b"[{}]"),
    (b"{", b'{"email":}', b"{}{}", b"{'a':1}"),
    (b"\x00", b"\xff\xfe", b'{"email":"\xff"}', b'{"email":"\xed\xa0\x80"}', b'{"\xff":1}'),
    (b"\xef\xbb\xbf{}", '{"email":"ä"}'.encode("utf-16")),
    (b'{"email":"a","email":["b"]}', b"a=b&c=%00"),
    (b'{"a":' * 100_000, b"[" * 100_000),
    (b'{"a":1}' + b" " * 1_100_000,),
)
TYPES = (
    *("application/json", "application/x-www-form-urlencoded", "multipart/form-data", "text/plain", ""),
    *(
        "application/json; charset=utf-16",
        "multipart/form-data; boundary=x",
        "application/x-www-form-urlencoded;",
    ),
)
TYPED_BODIES = (
    *(b'{"email":"a@example.com"}', b"email=%ff&grant_type=%00", b"--x\r\n\r\n\xff\r\n--x--", b"\x00"),
)
QUERIES = (
    ("", "null", "[]", "{}"),
    ("%00", "%ff%fe", "%ed%a0%80"),
    ("%", "%zz"),
    ("-1", "1.5", "9" * 40, "٣", "²"),
    ("a" * 5000,),
    ("%0d%0aLocation:%20https://evil", "https://evil\\@site", "//", "javascript:alert(1)"),
    ("http://[::1", "http://a:99999", "http://%5b"),
    ("'--", "a&{}=b", "email desc", "created_at asc;", "\ufb01"),
)
SEGMENTS = (
    "1",
    "%00",
    "%ff",
    "%2e%2e",
    "a" * 3000,
    "%ed%a0%80",
    "00000000-0000-0000-0000-000000000000",
    "'",
    "٣",
)

Form = TypeVar("Form")


@pytest.fixture
def user(auth: Stack) -> dict[str, Any]:
    """Of this test alone: its requests change what they may."""
    email = f"hostile-{uuid.uuid4().hex[:8]}@example.com"
    body = {"email": email, "password_hash": PASSWORD_HASH, "email_confirm": True}
    made = as_admin(auth, "POST", "/admin/users", json=body)
    assert made.status_code == 200, made.text
    return {"email": email, "id": made.json()["id"]}


class Stranger:
    """Calls one route as its caller must: by the standard library, since httpx takes five times as long to send."""

    def __init__(self, stack: Stack, route: UpstreamRoute, email: str) -> None:
        self.stack = stack
        self.route = route
        self._email = email
        self._token = ""
        self._service = httpx.URL(f"{stack.api_url}/auth/v1")
        self._connection = http.client.HTTPConnection(self._service.host, self._service.port, timeout=60)

    def token(self) -> str:
        """The service role's, or that of a session which the calls before have not ended."""
        if self.route.is_admins:
            return self.stack.service_role_key
        if self.route.caller == "user" and (not self._token or self.route.path == "/logout"):
            self._token = str(sign_in(self.stack, self._email)["access_token"])
        return self._token

    def send(
        self, token: str, path: str, body: bytes | None = None, content_type: str = "application/json"
    ) -> None:
        headers = {"apikey": self.stack.publishable_key, "content-type": content_type}
        headers |= {"authorization": f"Bearer {token}"} if token else {}
        target = httpx.URL(f"{self._service}{path}").raw_path.decode()
        with suppress(
            BrokenPipeError, ConnectionResetError
        ):  # a body that is too long is answered before its end
            self._connection.request(self.route.method, target, body, headers)
        response = self._connection.getresponse()
        text = response.read().decode(errors="replace")
        seen = (self.route.method, path[:300], (body or b"")[:200], content_type, text[:300])
        assert response.status < 500, seen
        location = response.headers.get("location", "")
        assert not location.startswith(("javascript:", "//", "https://evil")), seen
        assert "\x00" not in text, seen

    def close(self) -> None:
        self._connection.close()


@pytest.fixture
def stranger(auth: Stack, user: dict[str, Any], request: pytest.FixtureRequest) -> Iterator[Stranger]:
    """A caller; the log is read afterwards."""
    logs = list((auth.state / "logs").glob("*.log"))
    before = {path: path.stat().st_size for path in logs}
    made = Stranger(auth, request.param, user["email"])
    yield made
    made.close()

    def written() -> str:
        text = []
        for path in logs:
            with path.open("rb") as file:
                file.seek(before[path])
                text.append(file.read().decode(errors="replace"))
        return "".join(text)

    # The gateway writes its lines in bursts: what comes before that of a last request is there with it.
    last = f"/auth/v1/{uuid.uuid4()}"
    assert call(auth, "GET", last.removeprefix("/auth/v1")).status_code == 404
    assert until(lambda: last in written())
    assert "Traceback" not in written(), written()[-3000:]


def path_of(route: UpstreamRoute, parameters: dict[str, str] | None = None) -> str:
    """The route's path, with the `parameters`, or with random ones that name nothing."""
    return re.sub(
        r"\{(\w+)\}", lambda match: (parameters or {}).get(match[1]) or str(uuid.uuid4()), route.path
    )


def existing_parameters(stack: Stack, user: dict[str, Any]) -> dict[str, str]:
    """Parameters of paths that name something: the user, a factor of the user, and an OAuth client."""
    token = sign_in(stack, user["email"])["access_token"]
    factor = call(stack, "POST", "/factors", token, json={"factor_type": "totp"})
    client = {"client_name": "known", "redirect_uris": ["https://app.example.com/callback"]}
    made = as_admin(stack, "POST", "/admin/oauth/clients", json=client)
    return {
        "user_id": user["id"],
        "factor_id": factor.json()["id"],
        "client_id": made.json()["client_id"],
    }


def body_of(route: UpstreamRoute, field: str, value: str) -> bytes:
    """A body in which all fields but one are plausible."""
    plausible: dict[str, Any] = {
        "email": f"{uuid.uuid4().hex}@example.com",
        "data": {"a": 1},
        "type": "signup" if "generate_link" in route.path else "email",
        "token": "123456",
        "factor_type": "totp",
        "challenge_id": str(uuid.uuid4()),
        "code": "123456",
        "provider": "google",
        "redirect_uris": ["https://app.example.com/callback"],
        "client_name": "hostile",
        "code_challenge_method": "s256",
        "code_challenge": "a" * 43,
    }
    others = {name: plausible[name] for name in route.fields if name in plausible and name != field}
    if field.startswith("code_challenge") or route.path in ("/user", "/otp") or field == "email":
        others.pop("code_challenge", None)
        others.pop("code_challenge_method", None)
    if "grant_type=password" in route.path and field != "password":
        # Each password that is compared takes bcrypt's time.
        others.pop("email", None)
    rest = json.dumps(others)[1:-1]
    return f"{{{json.dumps(field)}:{value}{', ' if rest else ''}{rest}}}".encode()


WITH_BODY = [route for route in UPSTREAM_ROUTES if route.method != "GET"]
WITH_FIELDS = [route for route in WITH_BODY if route.fields]
WITH_QUERY = [route for route in UPSTREAM_ROUTES if route.method == "GET" and route.fields]
WITH_SEGMENT = [route for route in UPSTREAM_ROUTES if "{" in route.path]


def of_every_other_kind(kinds: Sequence[Sequence[str]], turn: int) -> Iterator[tuple[int, str]]:
    """Numbered values: of one half of the kinds, at the next turn of the other; in the long form all."""
    chosen = kinds if TIMES > 1 else kinds[turn % 2 :: 2]
    return enumerate(one_of_each(chosen, turn // 2), turn // 2)


def one_or_all(forms: list[Form], number: int) -> list[Form]:
    """One of the forms in which a value is sent, in turn; in the long form all."""
    return forms if TIMES > 1 else [forms[number % len(forms)]]


def each(routes: list[UpstreamRoute]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("stranger", routes, ids=str, indirect=True)


@each(WITH_FIELDS)
def test_no_value_of_a_field_is_a_5xx(stranger: Stranger, auth: Stack, user: dict[str, Any]) -> None:
    route = stranger.route
    parameters = existing_parameters(auth, user) if "{" in route.path else {}
    for turn, field in enumerate(route.fields, UPSTREAM_ROUTES.index(route)):
        token = stranger.token()
        for number, value in of_every_other_kind(VALUES, turn):
            bodies = [body_of(route, field, value)]
            bodies += [f'{{"{field}":{value}}}'.encode()] if parameters else []
            for body in one_or_all(bodies, number):
                stranger.send(token, path_of(route, parameters), body)


@each(WITH_BODY)
def test_no_body_and_no_content_type_is_a_5xx(stranger: Stranger) -> None:
    token, number = stranger.token(), UPSTREAM_ROUTES.index(stranger.route)
    for body in one_of_each(BODIES, number):
        stranger.send(token, path_of(stranger.route), body)
    for turn, content_type in enumerate(TYPES, number):
        for body in one_of_each([TYPED_BODIES], turn):
            stranger.send(token, path_of(stranger.route), body, content_type)


@each(WITH_QUERY)
def test_no_query_is_a_5xx(stranger: Stranger) -> None:
    route = stranger.route
    token = stranger.token()
    likely = "type=signup&provider=google&token=a&state=a&code=a&page=1&client_id=a&response_type=code"
    for turn, field in enumerate(route.fields, UPSTREAM_ROUTES.index(route)):
        for number, value in of_every_other_kind(QUERIES, turn):
            argument = (
                value.replace("{}", field) if "%" in value else quote(value.replace("{}", field), safe="%&=")
            )
            for others in one_or_all(["", f"&{likely}"], number):
                stranger.send(token, f"{path_of(route)}?{field}={argument}{others}")


@each(WITH_SEGMENT)
def test_no_segment_of_a_path_is_a_5xx(stranger: Stranger) -> None:
    token = stranger.token()
    for segment in SEGMENTS:
        path = re.sub(r"\{\w+\}", quote(segment, safe="%"), stranger.route.path)
        stranger.send(token, path, None if stranger.route.method == "GET" else b"{}")
