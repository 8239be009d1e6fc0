"""XML: lists as S3's clients send them, and nothing that makes a reader work harder than its size."""

from __future__ import annotations

import asyncio
import tracemalloc

import pytest
from botocore.parsers import RestXMLParser
from botocore.session import get_session
from localbase.storage.aws.documents import LARGEST_DOCUMENT, Document, read_document, write_document
from localbase.storage.aws.errors import S3Error

_NAMESPACE = 'xmlns="http://s3.amazonaws.com/doc/2006-03-01/"'


def read(body: bytes, root: str, record: str, most: int) -> Document:
    return asyncio.run(read_document(body, root, record, most))


def rejection(body: bytes, root: str = "Delete", record: str = "Object", most: int = 1000) -> tuple[int, str]:
    with pytest.raises(S3Error) as caught:
        read(body, root, record, most)
    return caught.value.status, caught.value.code


def test_records_are_read_with_and_without_a_namespace() -> None:
    for namespace in ("", _NAMESPACE):
        body = f"""<?xml version="1.0"?><Delete {namespace}><Quiet>true</Quiet>
          <Object><Key>a &amp; b&#33;</Key><VersionId>1</VersionId></Object>
          <Object><Key> c </Key></Object></Delete>"""
        document = read(body.encode(), "Delete", "Object", 2)
        assert document.fields["Quiet"] == "true"
        assert document.records == [{"Key": "a & b!", "VersionId": "1"}, {"Key": " c "}]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{}",
        b"<Delete>",
        b"<Delete></Delete><Delete></Delete>",
        b"<Other/>",
        b"<Delete><Object><Key>\x00</Key></Object></Delete>",
        b"<Delete><Object><Key>\xff</Key></Object></Delete>",
        b'<?xml version="1.0" encoding="nonsense"?><Delete/>',
        b"<Delete>" + b"<a>" * 20 + b"</a>" * 20 + b"</Delete>",
        b"<Delete>" + b"<a/>" * 16_000 + b"</Delete>",
        b"<Delete><Object><Key>" + b"x" * 8193 + b"</Key></Object></Delete>",
        b"<!DOCTYPE Delete><Delete/>",
        b'<!DOCTYPE Delete [<!ENTITY a "b">]><Delete><Object><Key>&a;</Key></Object></Delete>',
        b'<!DOCTYPE Delete [<!ENTITY a SYSTEM "file:///etc/passwd">]><Delete>&a;</Delete>',
        b"<Delete>&undeclared;</Delete>",
    ],
)
def test_malformed_document_is_rejected(body: bytes) -> None:
    assert rejection(body) == (400, "MalformedXML")


def test_billion_laughs_are_rejected_unread() -> None:
    entities = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    body = f'<!DOCTYPE Delete [<!ENTITY l0 "lol">{entities}]><Delete>&l9;</Delete>'
    assert rejection(body.encode()) == (400, "MalformedXML")


def test_too_many_records_are_rejected() -> None:
    body = b"<Delete>" + b"<Object><Key>a</Key></Object>" * 3 + b"</Delete>"
    assert rejection(body, most=2) == (400, "InvalidRequest")


@pytest.mark.parametrize("unit", [b"<a/>", b"<a b='c'/>", b"<!-- -->", b"&#33;", b"<Object/>", b"<?a b?>"])
def test_document_of_a_megabyte_takes_little_memory(unit: bytes) -> None:
    body = b"<Delete>" + unit * ((LARGEST_DOCUMENT - 32) // len(unit)) + b"</Delete>"
    tracemalloc.start()
    try:
        read(body, "Delete", "Object", 1000)
    except S3Error as error:
        assert error.status == 400
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < 4 << 20


def test_written_document_is_read_by_botocore() -> None:
    body = write_document(
        "ListBucketResult",
        {
            "Name": "bucket",
            "Prefix": "a<&>\"'",
            "KeyCount": 2,
            "IsTruncated": False,
            "Delimiter": None,
            "Contents": [{"Key": "é\n€\U0001f600", "Size": 3}, {"Key": "b\x01\r", "Size": 0}],
            "CommonPrefixes": [{"Prefix": "c/"}],
        },
    )
    shape = get_session().get_service_model("s3").operation_model("ListObjectsV2").output_shape
    parsed = RestXMLParser().parse({"status_code": 200, "headers": {}, "body": body}, shape)
    assert parsed["Name"] == "bucket"
    assert parsed["Prefix"] == "a<&>\"'"
    assert (parsed["KeyCount"], parsed["IsTruncated"]) == (2, False)
    assert [each["Key"] for each in parsed["Contents"]] == ["é\n€\U0001f600", "b\ufffd\ufffd"]
    assert [each["Prefix"] for each in parsed["CommonPrefixes"]] == ["c/"]
    assert "Delimiter" not in parsed


def test_root_may_hold_a_text() -> None:
    expected = f"<LocationConstraint {_NAMESPACE}>local</LocationConstraint>"
    assert write_document("LocationConstraint", "local").endswith(expected.encode())
