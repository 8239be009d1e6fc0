"""`python -m tools.address_rules` writes the checkout form's data: each country's address rules, and letters in Latin.

The rules are those of the functions (`functions/_shared/shipping/address_rules.py`), a file a country. The letters are
AnyASCII's, of alphabets whose letters stand for sounds one by one: others cannot be spelled honestly letter by letter.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from _shared.shipping.address_rules import AddressRules, rules_of
from _shared.shipping.countries import shipped_to
from anyascii import anyascii

_ROOT = Path(__file__).resolve().parents[1]
FOLDER = _ROOT / "web" / "src" / "features" / "checkout" / "address" / "data"
# Greek, Cyrillic, Armenian, Georgian, and the parts of Hangul
_ALPHABETS = (
    range(0x370, 0x530), range(0x531, 0x590), range(0x10A0, 0x1200), range(0x1C80, 0x1CC0), range(0x1F00, 0x2000),
    range(0x2D00, 0x2D30),
)  # fmt: skip


def files() -> Iterator[tuple[Path, str]]:
    """Each file's place and text."""
    letters = {
        chr(code): anyascii(chr(code)) for codes in _ALPHABETS for code in codes if chr(code).isalpha()
    }
    yield FOLDER / "letters.json", _text(letters)
    for country in shipped_to():
        yield FOLDER / "rules" / f"{country}.json", _text(_form_of(rules_of(country)))


def _form_of(rules: AddressRules) -> dict[str, Any]:
    """The rules as country-rules.ts reads them."""
    return {
        "zip": {
            "label": rules.zip_label, "needed": rules.zip_needed, "pattern": rules.zips, "example": rules.zip_example,
            "forms": rules.zip_forms, "prefixes": rules.zip_prefixes,
        },
        "city": {"label": rules.city_label},
        "region": {"label": rules.region_label, "needed": rules.region_needed},
        "regions": [
            {"code": each.code, "name": each.name, "zips": each.zips, "spellings": each.spellings}
            for each in rules.regions
        ],
    }  # fmt: skip


def _text(content: dict[str, Any]) -> str:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")) + "\n"


def main() -> None:
    """Writes the files."""
    for path, text in files():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
