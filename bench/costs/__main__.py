"""`python -m bench.costs`: writes the section Money of docs/scale.md from prices.toml and counts.json.

The counts are taken by `tests/e2e/test_costs.py`; with COUNTS=write in its environment it stores what it counted.
"""

from __future__ import annotations

import sys
from pathlib import Path

from bench.costs.money import read_counts, read_prices
from bench.costs.report import money_lines
from bench.marked_page import with_part
from deploy.pricing import written_prices

_PAGE = Path(__file__).resolve().parents[2] / "docs" / "scale.md"


def written_page(page: str) -> str:
    shirt_price = written_prices()["shirt_cents"] / 100
    return with_part(page, "money", money_lines(read_prices(), read_counts(), shirt_price))


def main() -> int:
    _PAGE.write_text(written_page(_PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    sys.stdout.write(f"{_PAGE.name}: written\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
