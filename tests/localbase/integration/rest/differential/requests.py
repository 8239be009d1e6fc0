"""Raw requests of many callers, with filters, preferences and headers as clients send them, and as they do not."""

from __future__ import annotations

import base64
import random
from urllib.parse import quote

from localbase.core.tokens import jwt

from tests.support.stacks import Stack

_OWNER, _OTHER = "11111111-1111-1111-1111-111111111111", "22222222-2222-2222-2222-222222222222"
_FAR, _PAST = 4_000_000_000, 1_000_000_000
Headers = list[tuple[str, str]]


def callers(stack: Stack) -> dict[str, Headers]:
    """The headers of each kind of caller."""
    anon, service = stack.anon_key, stack.service_role_key
    publishable, secret = stack.publishable_key, stack.secret_key

    def token(key: str = stack.jwt_secret, **claims: object) -> str:
        return jwt.sign({"role": "authenticated", "exp": _FAR} | claims, key)

    def user(value: str, key: str = anon) -> Headers:
        return [("apikey", key), ("Authorization", value)]

    first, second = token(sub=_OWNER), token(sub=_OTHER)
    unsigned = (
        base64.urlsafe_b64encode(b'{"alg":"none"}').rstrip(b"=").decode() + "." + first.split(".")[1] + "."
    )
    return {
        "anon": [("apikey", anon)],
        "anon twice": user(f"Bearer {anon}"),
        "service": [("apikey", service)],
        "service twice": user(f"Bearer {service}", service),
        "publishable": [("apikey", publishable)],
        "publishable twice": user(f"Bearer {publishable}", publishable),
        "secret": [("apikey", secret)],
        "secret as bearer": user(f"Bearer {secret}"),
        "owner": user(f"Bearer {first}"),
        "other user": user(f"Bearer {second}", publishable),
        "user with the service key": user(f"Bearer {first}", service),
        "service with the anon key": user(f"Bearer {service}"),
        "user without a name": user(f"Bearer {token()}"),
        "role of the database": user(f"Bearer {token(role='service_role')}"),
        "role that is none": user(f"Bearer {token(role='nobody_at_all')}"),
        "role that may not": user(f"Bearer {token(role='postgres')}"),
        "no role": user("Bearer " + jwt.sign({"sub": _OWNER, "exp": _FAR}, stack.jwt_secret)),
        "role of another kind": user(f"Bearer {token(role=['anon'])}"),
        "audience": user(f"Bearer {token(aud=['a', 'b'])}"),
        "expired": user(f"Bearer {token(exp=_PAST)}"),
        "not yet": user(f"Bearer {token(nbf=_FAR)}"),
        "foreign": user(f"Bearer {token('a foreign secret of thirty-two characters')}"),
        "unsigned": user(f"Bearer {unsigned}"),
        "garbage": user("Bearer a.b.c"),
        "empty bearer": user("Bearer"),
        "basic": user("Basic YTpi"),
        "small letters": user(f"bearer {first}"),
        "no key": [("Accept", "*/*")],
        "unknown key": [("apikey", "sb_publishable_guessed")],
        "key of a user": [("apikey", first)],
        "two keys": [("apikey", anon), ("apikey", service)],
        "two bearers": [*user(f"Bearer {first}"), ("Authorization", f"Bearer {second}")],
        "odd letters": [("APIKey", anon), ("AUTHORIZATION", f"Bearer {second}")],
        "spaces": [("apikey", f"  {anon}\t "), ("authorization", f" \tBearer  {first}  ")],
    }


_MORE: list[Headers] = [
    *([] for _ in range(6)),
    *([("Accept", value)] for value in ("application/json", "text/csv", "application/vnd.pgrst.object+json")),
    *(
        [("Accept", value)]
        for value in ("text/html", "*/*", "application/vnd.pgrst.array+json;nulls=stripped")
    ),
    [("Accept", "text/csv"), ("accept", "application/json")],
    *([("Range", value)] for value in ("0-0", "1-2", "5-", "9-3", "bytes=0-1")),
    [("Range", "0-0"), ("Range", "1-1")],
    *([("Prefer", value)] for value in ("count=exact", "count=planned", "return=representation", "odd")),
    [("Prefer", "count=exact"), ("PREFER", "handling=strict,odd")],
    [("Prefer", "handling=strict, max-affected=1")],
    *([("Accept-Profile", value)] for value in ("crm", "public", "nowhere")),
    [("Content-Profile", "crm")],
    [("Cookie", "crumb=1; other=2")],
    [("X-Agent", "é".encode().decode("latin-1"))],
    [("X-Forwarded-For", "10.0.0.1"), ("X-Agent", "a,b")],
    [("Connection", "keep-alive")],
    [("Connection", "Keep-Alive"), ("Keep-Alive", "timeout=5")],
    [("Connection", "x-agent"), ("X-Agent", "hop")],
    [("Connection", "upgrade"), ("Upgrade", "h2c")],
    [("TE", "trailers")],
    [("X-Empty", "")],
]
_ENDING: list[Headers] = [
    [("Connection", "close")],
    [("Content-Length", "0"), ("Content-Length", "0")],
    # Where the response comes before the body the connection ends, for the client may leave the body out.
    [("Expect", "100-continue")],
]
_OPERANDS = [
    "1",
    "2",
    "",
    "null",
    "x",
    "x y",
    "%",
    "'",
    '"',
    "\\",
    "(",
    ",",
    "é€",
    "a.b",
    "-1",
    "{1}",
    "(1,2)",
    "+",
]
_FILTERS = ["eq", "neq", "gt", "gte", "not.eq", "like", "ilike", "in", "is", "isdistinct", "cs", "zz"]
_COLUMNS = ["id", "title", "price", "details->>lang", "author_id", "i%64", "nope"]
_TAILS = [
    "",
    "",
    "&order=id",
    "&select=id,title&order=id",
    "&limit=2&order=id",
    "&or=(id.eq.1,id.eq.2)",
    "&limit=x",
]
_READS = [
    *(
        "/notes?order=id",
        "/notes?id=eq.2",
        "/half_open?select=id,shown",
        "/secrets?id=eq.1",
        "/genres?id=gte.2",
    ),
    *(
        "/rpc/who_am_i",
        "/rpc/echo_request",
        "/rpc/echo_req%75est",
        "//rpc/echo_request",
        "/rpc/numbers_to?n=3",
    ),
    *(
        "/books?select=id,authors!author_id(name)&order=id",
        "/author%73?select=id",
        "/authors?select=id&id=eq.1",
    ),
    *("/customers?select=id&order=id", "/nowhere", "/", "/rpc/add_numbers?a=1&b=%32", "/rpc/greet?name=a.b"),
    *("/rpc/generation", "/changing?order=id", "/books?select=id&id=eq.1&apikey=sb_x", "/rpc/page"),
]
_WRITES = [
    ("POST", "/rpc/add_numbers", '{"a":1,"b":%d}'),
    ("POST", "/rpc/echo_json", "[%d]"),
    ("POST", "/rpc/echo_request", "{}"),
    ("POST", "/rpc/forget", ""),
    ("POST", "/rpc/greet", '{"name":"a%d"}'),
    ("POST", "/rpc/greet", "{"),
    ("POST", "/counters", '{"name":"first","amount":%d}'),
    ("POST", "/counters?on_conflict=name", '{"name":"first","amount":"%d"}'),
    ("POST", "/counters?%63olumns=name", "5"),
    ("POST", "/secrets", '{"id":1,"value":"%d"}'),
    ("PATCH", "/counters?name=eq.nothing", '{"amount":%d}'),
    ("PATCH", "/counters?name=eq.first&select=name,amount", '{"amount":%d}'),
    ("DELETE", "/counters?name=eq.nothing%d", ""),
    ("PUT", "/genres?id=eq.1", '{"id":1,"name":"poetry"}'),
]


class Requests:
    """Requests of some headers and some lines, each with each, so that all are near to what is cached for another."""

    def __init__(self, stack: Stack, chance: random.Random) -> None:
        self._chance = chance
        self._headers = [self._with_more(caller) for caller in callers(stack).values() for _ in range(2)]
        self._lines = [self._write() if chance.random() < 0.3 else self._read() for _ in range(30)]

    def make(self) -> bytes:
        """One request, with a response that depends on nothing but the request and the schema."""
        method, path, body = self._chance.choice(self._lines)
        return self._request(method, path, self._chance.choice(self._headers), body)

    def _with_more(self, caller: Headers) -> Headers:
        headers: Headers = [("Host", "localhost"), *caller]
        for _ in range(self._chance.choice([0, 0, 1, 1, 2])):
            headers += self._chance.choice(_MORE)
        return headers

    def _read(self) -> tuple[str, str, bytes | None]:
        choice = self._chance.choice
        method = choice(["GET"] * 12 + ["HEAD", "OPTIONS", "DELETE"])
        if method == "DELETE":
            return method, "/books?id=eq.77", None
        if self._chance.random() < 0.5:
            return method, choice(_READS), None
        operand = quote(choice(_OPERANDS), safe=choice(["", "(),.:"]))
        return method, f"/books?{choice(_COLUMNS)}={choice(_FILTERS)}.{operand}{choice(_TAILS)}", None

    def ending(self) -> bytes:
        """A request that ends the connection, or may end it."""
        chance = self._chance
        request = self.make()
        line, _, rest = request.partition(b"\r\n")
        if chance.random() < 0.4:
            return line.replace(b"HTTP/1.1", b"HTTP/1.0") + b"\r\n" + rest
        more = "".join(f"{name}: {value}\r\n" for name, value in chance.choice(_ENDING))
        return line + b"\r\n" + more.encode() + rest

    def _write(self) -> tuple[str, str, bytes | None]:
        method, path, body = self._chance.choice(_WRITES)
        number = self._chance.randrange(3)
        return method, path.replace("%d", str(number)), body.replace("%d", str(number)).encode()

    def _request(self, method: str, path: str, headers: Headers, body: bytes | None) -> bytes:
        if body is not None:
            content_type = self._chance.choice([[("Content-Type", "application/json")]] * 4 + [[], _TEXT])
            headers = [*headers, *content_type]
            if self._chance.random() < 0.1:
                headers.append(("Transfer-Encoding", "chunked"))
                body = b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in (body[:2], body[2:]) if part)
                body += b"0\r\nAuthorization: Bearer trailer\r\n\r\n"
            else:
                headers.append(("Content-Length", str(len(body))))
        lines = [f"{method} /rest/v1{path} HTTP/1.1", *(f"{name}: {value}" for name, value in headers)]
        return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + (body or b"")


_TEXT: Headers = [("Content-Type", "text/plain")]


def stream_of_three(stack: Stack, agent: str) -> list[bytes]:
    """Requests of different callers that want different types, the last with a body. `agent` is in their headers."""
    all_callers = callers(stack)
    body = b'{"a":1,"b":2}'
    requests: list[tuple[str, Headers, bytes]] = [
        ("GET /rest/v1/notes?order=id", all_callers["publishable"], b""),
        (
            "GET /rest/v1/notes?order=id",
            [*all_callers["owner"], ("Accept", "text/csv"), ("Range", "0-1")],
            b"",
        ),
        (
            "POST /rest/v1/rpc/add_numbers",
            [
                *all_callers["secret"],
                ("Content-Type", "application/json"),
                ("Content-Length", str(len(body))),
            ],
            body,
        ),
    ]
    return [
        "\r\n".join(
            [
                f"{line} HTTP/1.1",
                "Host: localhost",
                f"X-Agent: {agent}",
                *(f"{name}: {value}" for name, value in headers),
            ]
        ).encode()
        + b"\r\n\r\n"
        + sent
        for line, headers, sent in requests
    ]
