"""The words of the code: the field's own, in plain sentences."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from tests.support.stacks import ROOT
from tests.support.tracked_files import tracked

PACKAGES = ("supabase/localbase", "functions", "emulators", "deploy", "tests", "bench", "tools")
# Names of our own invention, each with the field's word for it.
_REPLACED = {
    # localbase
    "Kept": "BoundedCache",
    "Era": "SchemaGeneration",
    "World": "SchemaCache",
    "Ask": "ApiRequest",
    "ask": "request",
    "QuickAsk": "FastRequest",
    "Ready": "PreparedRequest",
    "Bound": "BoundRequest",
    "Compiled": "CompiledSql",
    "Shot": "BoundRequest",
    "Mould": "PreparedRequest",
    "taken_apart": "split_request",
    "Memory": "PreparedRequestCache",
    "quick": "fast_path",
    "QuickGate": "FastPath",
    "QuickProtocol": "FastPathProtocol",
    "Head": "HeaderBlock",
    "recognise": "lookup",
    "learn": "store",
    "Flight": "PendingQuery",
    "Pending": "PendingQuery",
    "give_up": "fail",
    "make_room": "release_slot",
    "Waiting": "Waiter",
    "Identities": "Authenticator",
    "judge": "authenticator",
    "Judgement": "a lookup result",
    "Options": "Config",
    "Laps": "ServerTiming",
    "complaint": "parse_error",
    "refusal": "an error response",
    "refuse": "reject",
    "nearest": "closest_match",
    "overruled": "with_settings",
    "said_status": "guc_status",
    "Rendering": "ResponseTemplate",
    "misnamed": "legacy_target_names",
    "Origins": "ViewDependencies",
    "Transactions": "ServicePool",
    "lay_platform": "bootstrap_platform",
    "told": "schema_listener",
    "GATEWAYS": "GATEWAY_HEADERS",
    "answer": "response",
    "answers": "responses",
    "crash": "internal_error",
    "Unsendable": "InvalidHeader",
    "unsendable": "invalid_header",
    # functions
    "product_for": "create_for",
    "fulfil": "submit",
    "Ledger": "OrderRpc",
    "ledger": "order_rpc",
    "reversals": "cancellation, refunds",
    "Letter": "Email",
    "tell": "send",
    "Outward": "SsrfSafeClient",
    "outward": "safe_http",
    "Reply": "HttpResponse",
    "stripe_hook": "stripe_events",
    "seal": "signature, checksum or complete",
    "Crew": "ModelNames",
    "Wish": "ImageRequest",
    "dice": "new_seed",
    "hand_over": "upload",
    "keep_intent": "save_payment_intent_id",
    "printed_as": "by_print_order",
    "paid_with": "by_payment_intent",
    "among": "select_in",
    "why": "reason",
    # SQL, emulators, tests
    "people": "users",
    "take_job": "claim_job",
    "pause_after": "backoff",
    "follow_order": "on_order_changed",
    "Workshop": "RenderPool",
    "Courier": "WebhookDispatcher",
    "Misbehaviour": "FaultMiddleware",
    "perform": "run_task",
    "spoil": "fail",
    "keep": "save",
    "Press": "FakePrintify",
    **dict.fromkeys(("found", "given", "known", "taken", "wanted"), "what it holds"),
}
# The same words in another sense, the field's own: (folder, name).
_ALLOWED = {
    ("emulators/google", "Identities"),  # Google's, of its users
    ("emulators/mockups/bake", "Shot"),  # a photographer's
    ("emulators/mockups/bake", "outward"),  # a direction
    ("emulators/mockups/bake", "nearest"),  # the nearest point, colour or pixel
    ("emulators/artist", "nearest"),
    ("web/src/features/help", "answer"),  # of a question
    ("web/src/features/landing", "answer"),
    ("web/src/features/landing/walkthrough", "Options"),  # a component
}


def replaced(names: Iterable[str], path: Path) -> list[str]:
    """Those of a file's names that have a word of the field, with it."""
    place = path.relative_to(ROOT).as_posix()
    return [
        f"{place}: {name}, say {_REPLACED[name.lstrip('_')]}"
        for name in names
        if name.lstrip("_") in _REPLACED
        and not any(place.startswith(folder) and name.lstrip("_") == allowed for folder, allowed in _ALLOWED)
    ]


def python_files(package: str) -> list[Path]:
    """Its sources."""
    return sorted(path for path in (ROOT / package).rglob("*.py") if "__pycache__" not in path.parts)


def defined_names(tree: ast.AST) -> Iterator[str]:
    """Names of classes, functions, arguments and variables."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr


@pytest.mark.parametrize("package", PACKAGES)
def test_names_follow_the_glossary(package: str) -> None:
    assert [
        each
        for path in python_files(package)
        for each in replaced(defined_names(ast.parse(path.read_text(encoding="utf-8"))), path)
    ] == []


# A declaration's name, the names that a pattern takes apart, and the only parameter of an arrow function.
_DECLARED = re.compile(
    r"\b(?:const|let|var|function|class|interface|type)\s+(?:(\w+)|[{\[]([^=;]*?)[}\]]\s*[=:])|\(?(\w+)\)?\s*=>"
)


def test_typescript_names_follow_the_glossary() -> None:
    files = [ROOT / name for name in tracked("web/*.ts", "web/*.tsx") if not name.endswith(".d.ts")]
    assert len(files) > 300
    assert [
        each
        for path in files
        for match in _DECLARED.finditer(_SCRIPT.sub("", path.read_text(encoding="utf-8")))
        for each in replaced(re.findall(r"\w+", " ".join(filter(None, match.groups()))), path)
    ] == []


def prose(path: Path) -> Iterator[str]:
    """Comments and docstrings."""
    source = path.read_text(encoding="utf-8")
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.string
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield ast.get_docstring(node) or ""


# For 10,000 words of prose, at most so many of each kind: a reader hears these first.
_RIDDLES = (
    (re.compile(r"\b(?:whoever|nobody|somebody|anybody)\b", re.IGNORECASE), 2),
    (re.compile(r"\b(?:kept|keeps|tells|told|asks|asked|stands|whose|whatever)\b", re.IGNORECASE), 15),
)


def require_plain(texts: list[str]) -> None:
    """Fails where riddles are more frequent than that, and shows them."""
    words = sum(len(text.split()) for text in texts)
    assert words > 2000
    for riddle, most in _RIDDLES:
        matches = [
            text[max(0, at.start() - 60) : at.end() + 60] for text in texts for at in riddle.finditer(text)
        ]
        assert len(matches) * 10_000 / words <= most, matches


@pytest.mark.parametrize(
    "packages",
    [("supabase/localbase",), ("functions",), ("emulators",), ("deploy",), ("tests",), ("bench", "tools")],
    ids=", ".join,
)
def test_prose_is_plain(packages: tuple[str, ...]) -> None:
    require_plain([text for package in packages for path in python_files(package) for text in prose(path)])


_SQL = re.compile(r"--.*|^comment on [\s\S]*?;$", re.MULTILINE)
_SCRIPT = re.compile(r"(?<!:)//.*|/\*[\s\S]*?\*/")
_SETTINGS = re.compile(r"(?:^|\s)#.*", re.MULTILINE)


@pytest.mark.parametrize(
    ("comment", "files"),
    [
        (None, ("*.md",)),
        (_SQL, ("sql/migrations/*.sql", "supabase/localbase/**/*.sql")),
        (_SCRIPT, ("web/**/*.ts", "web/**/*.tsx", "web/**/*.js")),
        (_SETTINGS, ("*.toml", "*.yml", "*.sh", "Makefile", ".ci/run", ".env.example")),
    ],
    ids=["documents", "SQL", "TypeScript", "settings"],
)
def test_prose_of_other_files_is_plain(comment: re.Pattern[str] | None, files: tuple[str, ...]) -> None:
    texts = [(ROOT / name).read_text(encoding="utf-8") for name in tracked(*files)]
    require_plain(
        [comment_of.group() for text in texts for comment_of in comment.finditer(text)] if comment else texts
    )
