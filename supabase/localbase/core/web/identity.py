"""The header that names a process's stack: the probe of a start takes no other project's for its own."""

from __future__ import annotations

import os
from collections.abc import Mapping

IDENTITY = "LOCALBASE_IDENTITY"
HEADER = "x-localbase-identity"


def identity_header(environ: Mapping[str, str] = os.environ) -> tuple[str, str]:
    """Name and value of the header that a probe's answer has."""
    return HEADER, environ.get(IDENTITY, "")
