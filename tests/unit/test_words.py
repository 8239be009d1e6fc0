"""The words of the code: the field's own, in plain sentences."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.stacks import ROOT

PACKAGES = ("supabase/localbase", "functions", "emulators", "deploy", "tests", "bench", "tools")
# Names of our own invention, each with the field's word for it.
_REPLACED = {
    "Kept": "BoundedCache",
    "Era": "SchemaGeneration",
    "World": "SchemaCache",
    "QuickAsk": "FastRequest",
    "Mould": "PreparedRequest",
    "Judgement": "a lookup result",
    "judge": "authenticator",
    "Identities": "Authenticator",
    "Laps": "ServerTiming",
    "complaint": "parse_error",
    "overruled": "with_settings",
    "said_status": "guc_status",
    "misnamed": "legacy_target_names",
    "Origins": "ViewDependencies",
    "Transactions": "ServicePool",
    "lay_platform": "bootstrap_platform",
    "Flight": "PendingQuery",
    "GATEWAYS": "GATEWAY_HEADERS",
    "Unsendable": "InvalidHeader",
    "Ledger": "OrderRpc",
    "Letter": "Email",
    "Outward": "SsrfSafeClient",
    "Crew": "ModelNames",
    "Wish": "ImageRequest",
    "dice": "new_seed",
    "hand_over": "upload",
    "keep_intent": "save_payment_intent_id",
    "printed_as": "by_print_order",
    "paid_with": "by_payment_intent",
    "take_job": "claim_job",
    "pause_after": "backoff",
    "follow_order": "on_order_changed",
    "Workshop": "RenderPool",
    "Courier": "WebhookDispatcher",
    "Misbehaviour": "FaultMiddleware",
}
# Google's emulator has identities in the field's own sense.
_ALLOWED = {("emulators/google", "Identities")}


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
    found = [
        f"{path.relative_to(ROOT)}: {name}, say {_REPLACED[name.lstrip('_')]}"
        for path in python_files(package)
        for name in defined_names(ast.parse(path.read_text(encoding="utf-8")))
        if name.lstrip("_") in _REPLACED
        and not any(
            str(path.relative_to(ROOT)).startswith(folder) and name == allowed for folder, allowed in _ALLOWED
        )
    ]
    assert found == []


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


@pytest.mark.parametrize(
    "packages",
    [("supabase/localbase",), ("functions",), ("emulators", "deploy"), ("tests", "bench", "tools")],
    ids=", ".join,
)
def test_prose_is_plain(packages: tuple[str, ...]) -> None:
    texts = [text for package in packages for path in python_files(package) for text in prose(path)]
    words = sum(len(text.split()) for text in texts)
    assert words > 5000
    for riddle, most in _RIDDLES:
        found = [text for text in texts for _ in riddle.findall(text)]
        assert len(found) * 10_000 / words <= most, found
