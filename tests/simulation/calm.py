"""The end of all faults: events arrive, banks decide, people see to what was flagged, and time passes."""

from __future__ import annotations

from collections.abc import Iterator

from emulators.printify.timeline import next_change
from emulators.stripe.disputes import Outcome
from tests.simulation.alphabet import TROUBLE
from tests.simulation.rules import unfinished, violations
from tests.simulation.sight import Sight
from tests.simulation.world import World

_ROUNDS = 1000
# The shop goes on asking for a print order that is in trouble: the printer's people see to it meanwhile.
_PRINTER_LOOKS = 10
_MOST_DAYS = 6 * 86_400.0
# The sweep reads Stripe's events at this pace, and compares a minute later.
_COMPARISON, _MINUTE = 301.0, 61.0


def calm(made: World, known: set[str] | None = None, outcome: Outcome = "won") -> list[str]:
    """Rules that are broken on the way or by what became of an order. What is `known` to end well is not gone on."""
    passed: list[str] = []
    taken_up: set[str] = set()
    until = made.clock.elapsed + _MOST_DAYS
    made.mailbox.is_away = False
    made.vendors.set_stock(True)

    def is_known(sight: Sight) -> bool:
        if known is None:
            return False
        passed.append(sight.fingerprint(made.clock.time()))
        return passed[-1] in known

    for number in range(_ROUNDS):
        sight = made.look()
        if is_known(sight):
            break
        for _ in _everybody_acts(made, outcome):
            sight = made.look()
            if is_known(sight):
                break
        # what is known tells nothing of the way to it
        if problems := violations(made, sight):
            return problems
        if known and passed[-1] in known:
            break
        if number % _PRINTER_LOOKS == _PRINTER_LOOKS - 1:
            _printer_went_on(made)
        pause = made.next_event()
        if pause is None and not _is_seen_to(made, taken_up):
            if problems := unfinished(made.look()):
                return problems
            break
        if made.clock.elapsed + (pause or 0) > until:
            return [*unfinished(sight), f"there is work left after days: {_left(made)}"]
        made.clock.sleep(pause or 1)
        made.vendors.move_print_orders()
    else:
        return ["there is no end of it"]
    if known is not None:
        known.update(passed)
    return []


def _everybody_acts(made: World, outcome: Outcome) -> Iterator[None]:
    """Stops after each of them."""
    for vendor, message in made.vendors.waiting():
        made.deliver(vendor, message)
        yield
    for dispute in made.vendors.open_disputes():
        made.vendors.decide(dispute, outcome)
        yield
    made.sweep()
    yield


def _left(made: World) -> str:
    return "; ".join(
        job for order in made.look().orders.values() for job in (*order["jobs"], *order["messages"])
    )


def _is_seen_to(made: World, taken_up: set[str]) -> bool:
    """Tell whether the comparison with Stripe, the printer's people or the owner still had something to do."""
    return _compared(made) or _printer_went_on(made) or _owner_took_up(made, taken_up)


def _compared(made: World) -> bool:
    if not made.unheard:
        return False
    for pause in (_COMPARISON, _MINUTE):
        made.clock.sleep(pause)
        made.sweep()
    made.unheard.clear()
    return True


def _printer_went_on(made: World) -> bool:
    went = False
    for one in made.vendors.print_orders():
        if one["status"] in TROUBLE:
            made.vendors.enter(one, "in-production" if one["sent_to_production_at"] else "on-hold")
        elif one["status"] == "partially-fulfilled":
            made.vendors.enter(one, "fulfilled")
        elif next_change(one, 1) is None and not all(parcel["delivered_at"] for parcel in one["shipments"]):
            made.vendors.arrive(one)
        else:
            continue
        went = True
    return went


def _owner_took_up(made: World, taken_up: set[str]) -> bool:
    given_up = {
        id
        for id, order in made.look().orders.items()
        if any("given up" in one for one in (*order["jobs"], *order["messages"]))
    } - taken_up
    for order in sorted(given_up, key=list(made.look().orders).index):
        made.take_up_again(order)
    taken_up |= given_up
    return bool(given_up)
