"""Fixtures of auth's tests: a stack with every feature on."""

from __future__ import annotations

import itertools
import random
import uuid
from collections.abc import Iterator

import pytest
from localbase.core.auth_settings import EmailSettings, RateLimits, Seconds, SmsSettings

from tests.localbase.integration.auth.calls import execute
from tests.localbase.integration.auth.external.outside_providers import OutsideProviders, outside_providers
from tests.localbase.integration.auth.own_service import MovableClock, own_service
from tests.support.stacks import Stack, running_project

_numbers = itertools.count(1)
# Tests take the numbers that follow, too.
_phone_numbers = itertools.count(random.randrange(10_000, 90_000) * 100_000, 1000)

MANY = RateLimits(sms_sent=10_000, sign_in_sign_ups=10_000, token_verifications=10_000)
SMS = SmsSettings(
    enabled=True,
    enable_confirmations=True,
    template="{{ .Code }} is your code: {{ .Code }}",
    max_frequency=Seconds(0.001),
    test_otp={"15550199": "424242"},
)


@pytest.fixture(scope="session")
def auth() -> Iterator[Stack]:
    """The project tests/projects/auth."""
    with running_project("auth") as running:
        yield running


@pytest.fixture(autouse=True)
def _calls_of_its_own(request: pytest.FixtureRequest) -> None:
    """All tests call from one address: what others called does not count against a test's limits."""
    if "auth" in request.fixturenames:
        execute(request.getfixturevalue("auth"), "delete from _localbase.auth_rate_limits")


@pytest.fixture
def email() -> str:
    """An address that no user has yet."""
    return f"user-{uuid.uuid4().hex[:8]}-{next(_numbers)}@example.com"


@pytest.fixture
def clock() -> MovableClock:
    """The time of `service`, which a test may move."""
    return MovableClock()


@pytest.fixture
def service(auth: Stack, clock: MovableClock) -> Iterator[Stack]:
    """A service of the test's own over the same database."""
    with own_service(auth, clock) as running:
        yield running


@pytest.fixture(scope="session")
def outside() -> Iterator[OutsideProviders]:
    """Providers that people sign in at."""
    with outside_providers() as running:
        yield running


@pytest.fixture(scope="session")
def _confirming_clock() -> MovableClock:
    return MovableClock()


@pytest.fixture(scope="session")
def confirming(auth: Stack, _confirming_clock: MovableClock) -> Iterator[Stack]:
    """A service over the same database that wants addresses confirmed; `confirming_clock` is its time."""
    settings = EmailSettings(enable_confirmations=True, max_frequency=Seconds(0.001))
    with own_service(auth, _confirming_clock, email=settings) as running:
        yield running


@pytest.fixture
def confirming_clock(_confirming_clock: MovableClock) -> Iterator[MovableClock]:
    """The time of `confirming`, which a test may move."""
    yield _confirming_clock
    _confirming_clock.ahead = 0


@pytest.fixture(scope="session")
def phones(auth: Stack) -> Iterator[Stack]:
    """A service over the same database with sign-in by phone."""
    with own_service(auth, sms=SMS, rate_limit=MANY) as running:
        yield running


@pytest.fixture
def phone() -> str:
    """A number that no user has yet."""
    return f"1{next(_phone_numbers)}"
