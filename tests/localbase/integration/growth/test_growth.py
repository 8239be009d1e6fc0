"""No message costs more than its size allows: four times the message costs about four times the time."""

from __future__ import annotations

import re
import sys
from functools import partial
from math import inf
from pathlib import Path
from typing import Any, cast

import localbase.gateway.server
import pytest

from tests.localbase.integration.growth.doors import (
    OF_THE_GATEWAY,
    REALTIME_PATHS,
    Door,
    gateway_doors,
    mailbox_doors,
    studio_doors,
)
from tests.localbase.integration.growth.measure import Server, growth, most_seconds
from tests.localbase.integration.growth.messages import Row, Turns, rows_of
from tests.localbase.integration.growth.sockets import (
    PLACES,
    RealtimeSocket,
    events_of_the_code,
    socket_rows,
)
from tests.support.random_cases import TIMES
from tests.support.stacks import Stack

SERVICES = ("auth", "storage", "s3", "rest", "functions", "realtime", "gateway", "mailbox", "studio")

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="reads another process's clock of processor time"),
    # Some hundred megabytes are made, sent and read.
    pytest.mark.timeout(400),
]


def doors_of(service: str, stack: Stack, token: str) -> list[Door]:
    """The doors of one service."""
    port = int(stack.studio_url.rpartition(":")[2])
    every = (*gateway_doors(stack, token), *mailbox_doors(), *studio_doors(port))
    return [door for door in every if door.name.split(" ")[0] == service]


def _cost(server: Server, row: Row, size: int) -> tuple[float, int]:
    return server.cost(row.make(size))


@pytest.mark.parametrize("service", SERVICES)
def test_cost_of_a_message_grows_with_its_size(
    doors: Stack, token: str, servers: dict[str, Server], service: str
) -> None:
    too_dear = []
    own = doors_of(service, doors, token)
    assert own, f"{service} has no door"
    turns = Turns(frozenset() if service in ("auth", "s3") else frozenset(OF_THE_GATEWAY))
    for door, row in ((each, row) for each in own for row in rows_of(each, turns)):
        most = inf if row.streamed else most_seconds()
        measured = growth(partial(_cost, servers[service], row), row.most, most)
        if not measured.is_bounded or measured.whole > most:
            too_dear.append(f"{door.name}: {row.name}: {measured}")
        if not 200 <= measured.status < 500:
            too_dear.append(f"{door.name}: {row.name}: status {measured.status}")
    assert not too_dear, "\n".join(too_dear)


def test_cost_of_a_frame_grows_with_its_size(doors: Stack, servers: dict[str, Server]) -> None:
    socket = RealtimeSocket(doors, servers["realtime"])
    too_dear = []
    for row in socket_rows(in_turn=TIMES == 1):
        measured = growth(partial(socket.cost, row), row.most)
        if not measured.is_bounded or measured.whole > most_seconds():
            too_dear.append(f"{row.name}: {measured}")
    assert not too_dear, "\n".join(too_dear)


def test_every_event_of_the_socket_has_a_row() -> None:
    events = events_of_the_code()
    assert {"phx_join", "broadcast", "track"} <= events
    # Sent by the server alone.
    events -= {"postgres_changes"}
    rows = " ".join(PLACES)
    assert [event for event in events if not re.search(rf"\b{event}\b", rows)] == []


def test_every_mount_of_the_gateway_has_doors(doors: Stack, token: str) -> None:
    folder = Path(cast(Any, localbase.gateway.server.__file__)).parent
    source = "".join((folder / name).read_text(encoding="utf-8") for name in ("server.py", "services.py"))
    prefixes = set(re.findall(r'(?:Mount\(|REALTIME =)\s*"(/[^"]+)"', source))
    assert {"/rest/v1", "/storage/v1", "/realtime/v1"} <= prefixes
    paths = [door.path for door in gateway_doors(doors, token)]
    assert [prefix for prefix in prefixes if not any(path.startswith(prefix) for path in paths)] == []


def test_every_path_of_realtime_has_a_door() -> None:
    folder = Path(cast(Any, localbase.gateway.server.__file__)).parents[1] / "realtime"
    source = (folder / "service.py").read_text(encoding="utf-8")
    assert set(re.findall(r'request\.path == "([^"]+)"', source)) <= set(REALTIME_PATHS)
