"""The web client's size of a print, before the design is saved, is that of the print file."""

from __future__ import annotations

import json
from typing import Any

import pytest
from _shared.designs.placement import IDEAL_DPI, MOST_ENLARGED, print_inches

from emulators.printify import catalog
from tests.support.stacks import ROOT

EXAMPLES = json.loads((ROOT / "web" / "src" / "features" / "design" / "print-size.examples.json").read_text())
LARGEST = max(variant.area for variant in catalog.variants().values())


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda each: f"{each['width']} x {each['height']}")
def test_example_is_printed_as_the_page_says(example: dict[str, Any]) -> None:
    inches = print_inches((example["width"], example["height"]), LARGEST)
    enlarged = example["width"] * min(MOST_ENLARGED, IDEAL_DPI / (example["width"] / inches))
    assert inches == pytest.approx(example["inches"], abs=0.005)
    assert round(enlarged / inches) == example["dpi"]
