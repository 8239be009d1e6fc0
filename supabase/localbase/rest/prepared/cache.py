"""The cache of prepared requests, which belongs to one schema generation. The package's docstring has its rules."""

from __future__ import annotations

from typing import Literal

from localbase.core.authenticator import Caller
from localbase.core.cache import BoundedCache
from localbase.core.web.http import ANY_LENGTH, LONGEST_BLOCK, HeaderBlock, Request
from localbase.rest.generation import SchemaGeneration
from localbase.rest.prepared.request import PreparedRequest, prepare, prepare_once
from localbase.rest.prepared.split import RequestParts

_REQUESTS, _BYTES_OF_REQUESTS = 4096, 8 << 20
_LARGEST_REQUEST = 64 * 1024
# What the number of a key takes in a cache.
_BYTES_OF_NUMBER = 250
_BLOCKS, _BYTES_OF_BLOCKS = 1024, 4 << 20
# What the objects of a key take, for each of its parts, and those of a header, apart from their texts.
_BYTES_OF_PART, _BYTES_OF_HEADER = 100, 200


class PreparedRequestCache:
    """Finds and prepares requests under one schema generation."""

    def __init__(self, generation: SchemaGeneration) -> None:
        self.generation = generation
        # Timings and traces are headers of the single request: the ASGI path adds them.
        self.serves_fast_path = not generation.options.adds_headers
        self._requests: BoundedCache[object, PreparedRequest | Literal[False]] = BoundedCache(
            _REQUESTS if generation.cached else 0, _BYTES_OF_REQUESTS
        )
        # Hashes of the keys of requests that came once: one that is taken for another is prepared a little early.
        self._seen: BoundedCache[int, bool] = BoundedCache(_REQUESTS if generation.cached else 0)
        # Of the ASGI path, which parses headers before anything is looked up.
        self._blocks: BoundedCache[object, HeaderBlock] = BoundedCache(_BLOCKS, _BYTES_OF_BLOCKS)

    @property
    def size(self) -> int:
        """About how many bytes are cached, plans included."""
        return self._requests.size + self._seen.size + self._blocks.size + self.generation.size

    def find(self, parts: RequestParts, block: HeaderBlock) -> PreparedRequest | Literal[False] | None:
        """Return what requests with these parts were prepared as.

        False if they are always parsed, None if it is not known.
        """
        return self._requests.get((block, parts.body_keys, *parts.constants))

    def find_or_prepare(self, parts: RequestParts, block: HeaderBlock) -> PreparedRequest | None:
        """The prepared request; None if such requests are always parsed, and for one with an error.

        One without a body is prepared for others when it comes a second time: served once, it costs half.
        """
        prepared = self.find(parts, block)
        if prepared is None:
            assert block.caller is not None, "a request is prepared for its caller"
            if parts.body_keys is None and self._comes_first(parts, block):
                return prepare_once(parts, block.headers, block.caller, self.generation)
            prepared = prepare(parts, block.headers, block.caller, self.generation) or False
            texts = (*parts.constants, *(parts.body_keys[0] or () if parts.body_keys else ()))
            size = sum(len(text) + _BYTES_OF_PART for text in texts) + (prepared.size if prepared else 0)
            if size <= _LARGEST_REQUEST and not (prepared and prepared.is_long):
                self._requests.put((block, parts.body_keys, *parts.constants), prepared, size)
        return prepared or None

    def _comes_first(self, parts: RequestParts, block: HeaderBlock) -> bool:
        key = hash((block, *parts.constants))
        if self._seen.get(key):
            return False
        self._seen.put(key, True, _BYTES_OF_NUMBER)
        return True

    def block_for(self, request: Request, caller: Caller) -> HeaderBlock | None:
        """The block of a request that came over the ASGI path; None for headers that are too long to be cached."""
        headers = request.headers
        if headers.get("content-length") == str(len(request.body)):
            headers = headers | {"content-length": ANY_LENGTH}
        key = (caller.role, caller.claims_json, *headers.items())
        block = self._blocks.get(key)
        if block is None:
            size = sum(len(name) + len(value) for name, value in headers.items())
            if size > LONGEST_BLOCK:
                return None
            block = HeaderBlock(headers, 0, caller)
            size += len(caller.claims_json) + _BYTES_OF_HEADER * len(headers)
            self._blocks.put(key, block, 2 * size)
        return block
