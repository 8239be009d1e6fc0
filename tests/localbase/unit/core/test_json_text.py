"""core.json_text: JSON from strangers."""

from __future__ import annotations

import pytest
from localbase.core.json_text import read_json


def test_parsed_json_can_be_encoded_as_utf_8() -> None:
    text = b'{"a\\ud800": ["\\udc00x", {"b": "\\ud83d\\ude00"}], "n": 1}'
    assert read_json(text) == {"a\ufffd": ["\ufffdx", {"b": "\U0001f600"}], "n": 1}
    assert read_json(text.decode()) == read_json(text)


@pytest.mark.parametrize("text", [b"", b"{", b"\xff", b"[" * 100_000, b'{"a":' * 100_000, "[" * 100_000])
def test_invalid_json_is_a_value_error(text: bytes | str) -> None:
    with pytest.raises(ValueError, match=r"JSON|Expecting|decode|nested"):
        read_json(text)
