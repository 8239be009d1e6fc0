"""Storage's API of the running stack, for `storage …` and `seed buckets`: as the service role."""

from __future__ import annotations

import mimetypes
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote, unquote, urlsplit

import httpx

from localbase.cli.stack import stack
from localbase.core.errors import UserError
from localbase.core.project import Project

_SCHEME = "ss"
_PAGE = 1000
_SECONDS = 300.0


@dataclass(frozen=True, slots=True)
class Address:
    """`ss:///bucket/path`. Without a bucket it is all of Storage; a folder's path ends with `/`."""

    bucket: str
    path: str

    @property
    def is_folder(self) -> bool:
        """Tell whether it names a bucket or a folder, by how it is written."""
        return not self.path or self.path.endswith("/")

    def __str__(self) -> str:
        return f"{_SCHEME}:///{self.bucket}{'/' if self.path else ''}{self.path}"


def parse_address(text: str) -> Address | None:
    """The address; None for a path of this machine. Raises `UserError` for one with a host."""
    if not text.startswith(f"{_SCHEME}:"):
        return None
    parts = urlsplit(text)
    if parts.netloc or (parts.path and not parts.path.startswith("/")):
        raise UserError(f"{text} is no address in Storage.", "Write ss:///bucket/path, with three slashes.")
    bucket, _, path = unquote(parts.path).lstrip("/").partition("/")
    return Address(bucket, path)


def require_address(text: str) -> Address:
    """The address. Raises `UserError` for anything else."""
    address = parse_address(text)
    if address is None:
        raise UserError(f"{text} is no address in Storage.", "Write ss:///bucket/path.")
    return address


class StorageClient:
    """One connection pool to the API; threads may share it."""

    def __init__(self, project: Project) -> None:
        stack.require_running(project)
        keys = project.settings.keys
        self._http = httpx.Client(
            base_url=f"{project.settings.api_url}/storage/v1",
            headers={"apikey": keys.service_role, "authorization": f"Bearer {keys.service_role}"},
            timeout=_SECONDS,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._http.close()

    def buckets(self) -> list[str]:
        """The names of all buckets."""
        return sorted(bucket["id"] for bucket in self._call("GET", "/bucket").json())

    def save_bucket(self, name: str, settings: dict[str, Any]) -> bool:
        """Makes the bucket, or gives it these settings. Whether it was made."""
        if name in self.buckets():
            self._call("PUT", f"/bucket/{quote(name, safe='')}", json=settings)
            return False
        self._call("POST", "/bucket", json={"id": name, "name": name, **settings})
        return True

    def delete_bucket(self, name: str) -> None:
        """Deletes an empty bucket."""
        self._call("DELETE", f"/bucket/{quote(name, safe='')}")

    def entries(self, bucket: str, folder: str, search: str = "") -> Iterator[str]:
        """The names in a folder (empty, or `…/`) that begin with `search`; names of folders end with `/`."""
        offset = 0
        while True:
            body = {
                "prefix": folder,
                "search": search,
                "limit": _PAGE,
                "offset": offset,
                "sortBy": {"column": "name", "order": "asc"},
            }
            page = self._call("POST", f"/object/list/{quote(bucket, safe='')}", json=body).json()
            for entry in page:
                if entry["name"].startswith(search):
                    yield entry["name"] + ("/" if entry["id"] is None else "")
            if len(page) < _PAGE:
                return
            offset += _PAGE

    def objects(self, bucket: str, prefix: str) -> Iterator[str]:
        """The paths of all objects that begin so: with `/` at its end, of those below a folder."""
        folder, _, search = prefix.rpartition("/")
        folder = f"{folder}/" if folder else ""
        for name in self.entries(bucket, folder, search):
            if name.endswith("/"):
                yield from self.objects(bucket, folder + name)
            else:
                yield folder + name

    def upload(
        self, source: Path, target: Address, *, content_type: str, cache_control: str, replaces: bool = False
    ) -> None:
        """Stores a file, by the content type of its name where none is given."""
        mime = content_type or mimetypes.guess_type(source.name)[0] or "application/octet-stream"
        headers = {"content-type": mime, "cache-control": cache_control, "x-upsert": str(replaces).lower()}
        size = {"content-length": str(source.stat().st_size)}
        with source.open("rb") as file:
            self._call("POST", _object(target), content=file, headers=headers | size)

    def download(self, source: Address, target: Path) -> None:
        """Writes an object into a file, whose folders are made. What is not whole does not get the name."""
        target.parent.mkdir(parents=True, exist_ok=True)
        partial = target.with_name(f".{target.name}.partial")
        try:
            with self._http.stream("GET", _object(source)) as response:
                if response.status_code != 200:
                    response.read()
                    _check(response, str(source))
                with partial.open("wb") as file:
                    for part in response.iter_bytes():
                        file.write(part)
            partial.replace(target)
        finally:
            partial.unlink(missing_ok=True)

    def copy(self, source: Address, target: Address, *, moves: bool) -> None:
        """Copies or moves an object within Storage."""
        body = {
            "bucketId": source.bucket,
            "sourceKey": source.path,
            "destinationBucket": target.bucket,
            "destinationKey": target.path,
        }
        self._call("POST", "/object/move" if moves else "/object/copy", json=body)

    def remove(self, bucket: str, paths: list[str]) -> list[str]:
        """Deletes objects. The paths of those that there were."""
        removed = []
        for at in range(0, len(paths), _PAGE):
            body = {"prefixes": paths[at : at + _PAGE]}
            response = self._call("DELETE", f"/object/{quote(bucket, safe='')}", json=body)
            removed += [entry["name"] for entry in response.json()]
        return removed

    def _call(self, method: str, path: str, **arguments: Any) -> httpx.Response:
        try:
            response = self._http.request(method, path, **arguments)
        except httpx.HTTPError as error:
            raise UserError(
                f"Storage does not answer: {error}.", "`localbase logs storage` shows why."
            ) from error
        _check(response, path)
        return response


def _object(address: Address) -> str:
    return f"/object/{quote(address.bucket, safe='')}/{quote(address.path)}"


def _check(response: httpx.Response, subject: str) -> None:
    if response.is_success:
        return
    try:
        message = str(response.json()["message"])
    except (ValueError, KeyError, TypeError):
        message = response.text
    raise UserError(f"Storage refused {subject}: {message}.")
