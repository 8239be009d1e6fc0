"""A window of Studio for a module, of the module's own `project`, and a page in it for each test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.e2e.localbase.studio_pages import studio_page, studio_window
from tests.support.stacks import Stack


@pytest.fixture(scope="module")
def window(browser: Browser, project: Stack) -> Iterator[Page]:
    with studio_window(browser, project.studio_url) as made:
        yield made


@pytest.fixture
def page(window: Page) -> Iterator[Page]:
    with studio_page(window) as made:
        yield made
