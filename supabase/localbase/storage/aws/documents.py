"""XML as S3's clients send and read it.

What comes in is a flat list in every case: one root, records of one name below it, and texts in them. It is read as
such, so that a body of a megabyte cannot become a tree of a hundred; declarations of types and entities are refused.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from xml.etree.ElementTree import Element, ParseError, SubElement, tostring

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser

from localbase.storage.aws import errors

LARGEST_DOCUMENT = 1024 * 1024
# Clients write one, the namespace; a text may hold their signs.
_MOST_ATTRIBUTES = 10_000
_NAMESPACE = "http://s3.amazonaws.com/doc/2006-03-01/"
_DECLARATION = b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
_DEEPEST = 8
# Elements for each record, as far as S3's clients send them, with room.
_ELEMENTS_OF_A_RECORD = 16
_LONGEST_TEXT = 8192
# XML 1.0 has no way to write these; a carriage return would be read as a line end.
_UNWRITABLE = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

# Elements in order: a text, a number, a truth, elements below, several of one name; None is left out.
Value = str | int | bool | Mapping[str, "Value"] | Sequence[Mapping[str, "Value"]] | None


@dataclass(slots=True)
class Document:
    """A document that was read: the texts below the root, and the records."""

    fields: dict[str, str] = field(default_factory=dict)
    records: list[dict[str, str]] = field(default_factory=list)


async def read_document(body: bytes, root: str, record: str, most: int) -> Document:
    """The document in `body`, with at most `most` records. Raises 400 for anything else.

    It is parsed in a thread: a megabyte may take a second.
    """
    return await asyncio.to_thread(_parse, body, root, record, most)


def _parse(body: bytes, root: str, record: str, most: int) -> Document:
    if b"\0" in body:
        raise errors.malformed_xml("The document is not in UTF-8")
    if body.count(b"='") + body.count(b'="') > _MOST_ATTRIBUTES:
        raise errors.malformed_xml("The document has too many attributes")
    reader = _Reader(root, record, most)
    parser = DefusedXMLParser(target=reader, forbid_dtd=True)
    try:
        parser.feed(body)
        document = parser.close()
    except (ParseError, DefusedXmlException, ValueError, LookupError) as error:
        raise errors.malformed_xml(str(error) or type(error).__name__) from error
    assert isinstance(document, Document)
    return document


class _Reader:
    """A parser's target, which collects texts instead of building a tree."""

    def __init__(self, root: str, record: str, most: int) -> None:
        self._root, self._record, self._most = root, record, most
        self._path: list[str] = []
        self._text: list[str] = []
        self._length = 0
        self._elements_left = most * _ELEMENTS_OF_A_RECORD
        self._document = Document()

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """An element begins."""
        name = tag.rpartition("}")[2]
        self._elements_left -= 1 + len(attributes)
        if self._elements_left < 0:
            raise errors.malformed_xml("There are too many elements and attributes")
        if not self._path and name != self._root:
            raise errors.malformed_xml(f"The root must be {self._root}")
        if len(self._path) == _DEEPEST:
            raise errors.malformed_xml("Elements are nested too deeply")
        self._path.append(name)
        if self._path[1:] == [self._record]:
            if len(self._document.records) == self._most:
                raise errors.invalid_request(
                    f"Bulk object requests are limited to {self._most} objects per request."
                )
            self._document.records.append({})
        self._text, self._length = [], 0

    def data(self, text: str) -> None:
        """Text within an element."""
        self._length += len(text)
        if self._length > _LONGEST_TEXT:
            raise errors.malformed_xml("A text is too long")
        self._text.append(text)

    def end(self, tag: str) -> None:
        """An element ends."""
        del tag
        name = self._path.pop()
        within = self._path[1:]
        if self._path and within == []:
            self._document.fields[name] = "".join(self._text)
        elif within == [self._record]:
            self._document.records[-1][name] = "".join(self._text)
        self._text, self._length = [], 0

    def close(self) -> Document:
        """The whole of it."""
        return self._document


def write_document(root: str, content: Mapping[str, Value] | str) -> bytes:
    """The document with this root, in S3's namespace; errors are in none, as botocore wants them."""
    element = Element(root, {} if root == "Error" else {"xmlns": _NAMESPACE})
    if isinstance(content, str):
        element.text = _writable(content)
    else:
        _append(element, content)
    return _DECLARATION + bytes(tostring(element, encoding="utf-8"))


def _append(parent: Element, content: Mapping[str, Any]) -> None:
    for name, value in content.items():
        if value is None:
            continue
        if isinstance(value, Mapping):
            _append(SubElement(parent, name), value)
        elif isinstance(value, bool):
            SubElement(parent, name).text = "true" if value else "false"
        elif isinstance(value, str | int):
            SubElement(parent, name).text = _writable(str(value))
        else:
            for each in value:
                _append(SubElement(parent, name), each)


def _writable(text: str) -> str:
    return _UNWRITABLE.sub("\ufffd", text)
