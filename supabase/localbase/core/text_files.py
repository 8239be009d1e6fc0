"""Text files as editors and other tools write them, decoded: with a byte-order mark or without, in UTF-8, 16 or 32.

Bytes without a mark must be UTF-8. Other encodings cannot be told from one another by their bytes, and a wrong guess
would be stored: such a file is an error that names the line, unless the file itself says its encoding.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable
from pathlib import Path

from localbase.core.errors import UserError

# UTF-32's little-endian mark begins with UTF-16's.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# What is given for text by mistake, by its first bytes.
_FORMATS = (
    (b"PGDMP", "an archive of pg_dump (make it with --format=plain)"),
    (b"\x1f\x8b", "compressed by gzip"),
    (b"PK\x03\x04", "a zip archive"),
    (b"SQLite format 3", "a database of SQLite"),
)
_SAVE = "Save the file as UTF-8 and try again."


def read_text(path: Path, declared: Callable[[bytes], str | None] | None = None) -> str:
    """The file's text without its mark, line ends as they are. Raises `UserError` where there is none.

    `declared` finds the name of the encoding in bytes that are not UTF-8.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UserError(
            f"{path} cannot be read: {error.strerror or error}.", "Check the file and its rights."
        ) from error
    mark, encoding = next(((mark, name) for mark, name in _MARKS if data.startswith(mark)), (b"", "utf-8"))
    for start, name in _FORMATS:
        if data.startswith(start):
            raise UserError(f"{path} is no text: it is {name}.", "Name a file of text.")
    try:
        text = data[len(mark) :].decode(encoding)
    except UnicodeDecodeError as error:
        named = declared(data) if declared and not mark else None
        if named is None:
            raise _undecodable(path, data, encoding, error) from None
        text = _decode(path, data, named)
    if "\0" in text:
        raise _with_nul(path, data, text)
    return text


def _decode(path: Path, data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding)
    except (UnicodeDecodeError, LookupError) as error:
        raise UserError(
            f"{path} is not in the encoding that it names ({encoding}): {error}.", _SAVE
        ) from None


def _undecodable(path: Path, data: bytes, encoding: str, error: UnicodeDecodeError) -> UserError:
    if _is_mostly_utf16(data):
        return UserError(f"{path} seems to be UTF-16 without a byte-order mark.", _SAVE)
    if encoding != "utf-8":
        return UserError(f"{path} has the byte-order mark of {encoding.upper()} but is none: {error}.", _SAVE)
    line = data.count(b"\n", 0, error.start) + 1
    return UserError(
        f"{path}, line {line}: the byte 0x{data[error.start]:02x} is not UTF-8; "
        "the file is in another encoding, such as Windows-1252 or Latin-1.",
        _SAVE,
    )


def _with_nul(path: Path, data: bytes, text: str) -> UserError:
    if _is_mostly_utf16(data):
        return UserError(f"{path} seems to be UTF-16 without a byte-order mark.", _SAVE)
    line = text.count("\n", 0, text.index("\0")) + 1
    return UserError(
        f"{path}, line {line} holds a NUL byte, which no text has.", "Take it out and try again."
    )


def _is_mostly_utf16(data: bytes) -> bool:
    """Tell whether nearly every second byte is a zero, as of letters of the Latin alphabet."""
    return data.count(0, 0, 1000) * 3 > len(data[:1000])
