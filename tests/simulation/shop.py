"""The shop's parts as a function has them, with the simulation's database, clock, network and mail server."""

from __future__ import annotations

import importlib.util
import sys
from functools import cache, cached_property
from types import ModuleType
from uuid import UUID

from _shared.clients.smtp import Email
from _shared.core.callers import Account, Callers
from _shared.core.data import Data
from _shared.core.errors import ShopError, unavailable
from _shared.core.settings import read_settings
from _shared.shop import Shop

from tests.simulation.clock import SimulatedClock
from tests.simulation.crossings import ConnectionBroke, Crossings
from tests.simulation.database import SimulatedData, SimulatedDatabase
from tests.simulation.vendors import ADDRESS, Network
from tests.support.stacks import ROOT

SHOPPER, ADMIN = str(UUID(int=1)), str(UUID(int=2))
_ENVIRON = {
    "SUPABASE_URL": "http://shop.invalid",
    "SUPABASE_SERVICE_ROLE_KEY": "service",
    "SUPABASE_SECRET_KEY": "secret",
    "STRIPE_SECRET_KEY": "sk_test_emulator",
    "STRIPE_WEBHOOK_SECRET": "whsec_emulator",
    "STRIPE_API_BASE": f"{ADDRESS}/stripe",
    "PRINTIFY_API_TOKEN": "printify_emulator_token",
    "PRINTIFY_SHOP_ID": "1",
    "PRINTIFY_WEBHOOK_SECRET": "pfysec_emulator",
    "PRINTIFY_API_BASE": f"{ADDRESS}/printify",
    "SMTP_HOST": "mail.invalid",
    "ORDER_WEBHOOK_URL": f"{ADDRESS}/automation",
    "ORDERS_PER_HOUR": "1000000",
    "ORDERS_PER_DAY": "1000000",
    "SHOP_ORDERS_PER_DAY": "1000000",
}


class Mailbox:
    """The mail server: what it has taken, by Message-ID."""

    def __init__(self) -> None:
        self.taken: list[tuple[str, Email]] = []
        self.is_away = False

    def take(self, key: str, email: Email) -> None:
        if self.is_away:
            raise ConnectionBroke("mail")
        self.taken.append((key, email))


class _Mailer:
    def __init__(self, mailbox: Mailbox, crossings: Crossings) -> None:
        self._mailbox, self._crossings = mailbox, crossings

    def send(self, email: Email, key: str = "") -> None:
        try:
            self._crossings.cross("mail", lambda: self._mailbox.take(key, email))
        except ConnectionBroke as error:
            raise unavailable("mail_unavailable", "The e-mail could not be sent.", error) from error


class _Tokens:
    """A token is the person's id."""

    def of_token(self, token: str) -> Account:
        if token not in (SHOPPER, ADMIN):
            raise ShopError(401, "unauthenticated", "Please sign in first.")
        return Account(token, "shopper@teesmith.example")


class SimulatedShop(Shop):
    """The shop with the simulation's database and mail server."""

    def __init__(
        self,
        database: SimulatedDatabase,
        clock: SimulatedClock,
        network: Network,
        mailbox: Mailbox,
        crossings: Crossings,
    ) -> None:
        super().__init__(read_settings(_ENVIRON, []), clock, network)
        self._database, self._mailbox, self._crossings = database, mailbox, crossings

    @cached_property
    def data(self) -> Data:
        return SimulatedData(self._database, self._crossings)

    @cached_property
    def mailer(self) -> _Mailer:  # type: ignore[override]
        return _Mailer(self._mailbox, self._crossings)

    @cached_property
    def callers(self) -> Callers:
        return Callers(_Tokens(), self.data, ("service", "secret"))


@cache
def function(slug: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"simulated_{slug}", ROOT / "functions" / slug / "main.py")
    assert spec and spec.loader
    # pydantic looks a model's names up there
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
