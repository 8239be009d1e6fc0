"""A run: people shop and draw while one part after the other fails."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import psycopg

from tests.chaos.goods import goods_of
from tests.chaos.plan import Checkout, draw
from tests.chaos.shoppers import Shop, Visit
from tests.many.faults import Fault, Saboteur
from tests.many.listener import Listener
from tests.many.many import Many, wait_for
from tests.many.operator import Operator
from tests.many.people import Artist, Drawing, Studio, make_artists
from tests.many.probes import PROBES, Probes
from tests.many.proof import Proof, deploy, prove
from tests.support.stacks import ROOT
from tests.support.users import Users

CALM_SECONDS = 3.0


# A database is away for some seconds, in which each press fails at once: a shopper goes on for a minute or two.
_PRESSES = 300


@dataclass(frozen=True)
class Size:
    """How much there is of each."""

    sessions: int = 1000
    artists: int = 100
    checkouts: int = 240
    shoppers: int = 8
    pause: float = 25.0
    draws_at_once: int = 3
    # seconds between two questions of a probe, and of a fault
    probe_pause: float = 0.25
    hold: float = 8.0

    def plan(self, round_number: int) -> list[Checkout]:
        """All different: orders are told apart by the street's number."""
        drawn = draw(5000 + round_number, full=True).checkouts[: self.checkouts]
        first = 1 + round_number * 10_000
        return [
            replace(each, number=first + index, shopper=index % self.shoppers)
            for index, each in enumerate(drawn)
        ]


SMALLEST = Size(
    sessions=20, artists=1, checkouts=10, shoppers=1, pause=10, draws_at_once=1, probe_pause=0.5, hold=4
)


@dataclass
class Span:
    """A fault's time, from its beginning until all that was asked is answered again."""

    fault: Fault
    start: float
    repaired: float = 0.0
    end: float = 0.0


@dataclass
class Result:
    """What a round has shown. Times are of `time.time`."""

    number: int
    spans: list[Span]
    probes: Probes
    looks: Path
    told: list[tuple[float, str]]
    events: list[tuple[float, str]]
    visits: list[Visit]
    drawing: Drawing
    shopped_seconds: float
    proof: Proof
    notes: list[str] = field(default_factory=list)


class Course:
    """Rounds on one set of machines; the same people and the same operator."""

    def __init__(self, many: Many, size: Size) -> None:
        self._many = many
        self._size = size
        self._operator = Operator(many.database)
        self._saboteur = Saboteur(many, self._operator)
        users = Users(many.stack)
        self._goods = [goods_of(many.stack, users, number) for number in range(size.shoppers)]
        self._artists = make_artists(many.stack, size.artists)
        self._operator.start()

    def close(self) -> None:
        self._operator.stop()

    def round(self, number: int, faults: Sequence[Fault]) -> Result:
        """Shops, draws and browses until every fault has been and everybody is done; then the proof."""
        stack = self._many.stack
        writer = self._artists[0]
        probes, listener = Probes(stack, (writer.id, writer.token), self._size.probe_pause), Listener(stack)
        shop, drawing = Shop(stack, self._goods, 5000 + number, _PRESSES), Drawing()
        looks = self._many.folder / f"looks-{number}"
        listener.start()
        wait_for(listener.is_subscribed, 60, "Realtime")
        probes.start()
        with self._browsing(looks, number), ThreadPoolExecutor(2) as both:
            shopping = both.submit(self._shop, shop, number)
            drawn = both.submit(self._draw, drawing, number)
            spans = [self._fail(fault, probes, listener) for fault in faults]
            visits, shopped = shopping.result()
            drawn.result()
        self._announce(listener, f"round {number}")
        probes.stop()
        listener.stop()
        proof = prove(self._many, shop, visits, drawing, probes, seconds=240)
        notes = self._owner_commands() if self._many.pooler else []
        return Result(
            number, spans, probes, looks, listener.told, list(self._operator.events), visits, drawing,
            shopped, proof, notes,
        )  # fmt: skip

    def _shop(self, shop: Shop, number: int) -> tuple[list[Visit], float]:
        began = time.monotonic()
        with ThreadPoolExecutor(self._size.shoppers) as pool:
            visits = list(pool.map(shop.visit, self._size.plan(number)))
        return visits, time.monotonic() - began

    def _draw(self, drawing: Drawing, number: int) -> None:
        studio = Studio(self._many.stack, drawing)

        def one(numbered: tuple[int, Artist]) -> None:
            index, artist = numbered
            studio.draw(artist, number * 10_000 + index)

        with ThreadPoolExecutor(self._size.draws_at_once) as pool:
            list(pool.map(one, enumerate(self._artists)))

    def _fail(self, fault: Fault, probes: Probes, listener: Listener) -> Span:
        sys.stderr.write(f"  {fault}\n")
        span = Span(fault, time.time())
        self._saboteur.carry_out(fault, self._size.hold)
        span.repaired = time.time()

        def all_good() -> bool:
            asks = list(probes.asks)
            return listener.is_subscribed() and all(
                any(ask.probe == probe and ask.good and ask.began > span.repaired for ask in asks[-400:])
                for probe in PROBES
            )

        wait_for(all_good, 120, f"after {fault}")
        span.end = time.time()
        time.sleep(CALM_SECONDS)
        return span

    def _announce(self, listener: Listener, name: str) -> None:
        """A row that changes now is announced: the subscription is one of the new primary's."""
        goods = self._goods[0]
        with psycopg.connect(self._many.stack.db_url, autocommit=True) as connection:
            connection.execute("update designs set name = %s where id = %s", [name, goods.design_id])
        wait_for(lambda: name in listener.seen, 30, "the announcement of a changed row")

    def _owner_commands(self) -> list[str]:
        """The owner's backup, through the pooler."""
        target = self._many.folder / f"backup-{time.time():.0f}"
        done = deploy(self._many, "backup", str(target))
        return [] if done.returncode == 0 else [f"backup through the pooler: {done.stdout}{done.stderr}"]

    @contextmanager
    def _browsing(self, target: Path, number: int) -> Iterator[None]:
        settings = {
            "host": self._many.edge.address,
            "port": 8000,
            "key": self._many.stack.publishable_key,
            "sessions": self._size.sessions,
            "pause": self._size.pause,
            "seed": number,
            "target": str(target),
        }
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.many.browsers", json.dumps(settings)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
        )
        try:
            yield
        finally:
            process.communicate(timeout=60)
        assert process.returncode == 0
