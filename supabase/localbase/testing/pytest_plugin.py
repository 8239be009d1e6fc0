"""pytest's fixture `localbase_project`: a fresh project for every test, on a stack of the tests' own.

```python
def test_notes_are_private(localbase_project: LocalbaseProject) -> None:
    alice = create_client(localbase_project.api_url, localbase_project.publishable_key)
```

The project is the one at pytest's root folder; `localbase_workdir` in pytest's settings names another. Nothing is
imported before a test wants it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from localbase.testing import LocalbaseProject

if TYPE_CHECKING:
    from localbase.testing.fresh_stack import FreshStack


def pytest_addoption(parser: pytest.Parser) -> None:
    """The plugin's one setting."""
    parser.addini(
        "localbase_workdir", "the folder that holds supabase/, from the root folder on", default="."
    )


@pytest.fixture(scope="session")
def _localbase_stack(pytestconfig: pytest.Config) -> Iterator[FreshStack]:
    from localbase.core.errors import UserError
    from localbase.testing.fresh_stack import FreshStack

    workdir = Path(pytestconfig.rootpath) / str(pytestconfig.getini("localbase_workdir"))
    worker = os.environ.get("PYTEST_XDIST_WORKER", "")
    try:
        stack = FreshStack(workdir, os.environ, f"pytest-{worker}" if worker else "pytest")
    except UserError as error:
        pytest.fail(f"{error.message}\n{error.remedy}", pytrace=False)
    try:
        stack.start()
        yield stack
    except UserError as error:
        pytest.fail(f"{error.message}\n{error.remedy}", pytrace=False)
    finally:
        stack.close()


@pytest.fixture
def localbase_project(_localbase_stack: FreshStack) -> LocalbaseProject:
    """A project as its migrations and seed have made it, with the rest empty: users, files, mails, caches."""
    _localbase_stack.renew()
    return LocalbaseProject(**_localbase_stack.addresses())
