"""The ports of the tests' own stacks: no two have one in common, and the system gives none of them to connections."""

from __future__ import annotations

import re

import pytest

from tests.support import ports
from tests.support.stacks import ROOT

_WORKERS = 8
# One written into a test: another stack may have it.
_WRITTEN = re.compile(r"port[\"']?\s*[=:]\s*[\"']?(2[0-9]|3[0-2])[0-9]{3}\b", re.IGNORECASE)


def test_no_two_stacks_have_a_port_in_common() -> None:
    firsts = [ports.first_port(stack, worker) for worker in range(_WORKERS) for stack in ports.STACKS]
    all_ports = [first + port for first in firsts for port in range(ports.OF_A_WORKER)]
    assert len(set(all_ports)) == len(all_ports)
    assert max(all_ports) < 32768


@pytest.mark.parametrize("folder", ["integration", "e2e", "chaos", "compat", "support"])
def test_no_test_chooses_a_port_by_itself(folder: str) -> None:
    written_ports = {
        str(path.relative_to(ROOT)): match[0]
        for path in sorted((ROOT / "tests" / folder).rglob("*.py"))
        for match in _WRITTEN.finditer(path.read_text())
    }
    assert not written_ports
