"""Designs whose pictures lie in Storage, saved as the browser saves them, and plain HTTP to Storage as anyone."""

from __future__ import annotations

import base64
import io
from dataclasses import dataclass
from typing import Any

import httpx
from PIL import Image

from tests.shop.integration.functions.conftest import Functions, png
from tests.support.stacks import Stack
from tests.support.users import Person

PICTURE = base64.b64decode(png())


def jpeg() -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (64, 64), "tomato").save(out, "JPEG")
    return out.getvalue()


THUMBNAIL = jpeg()


@dataclass(frozen=True)
class Saved:
    """A saved design and the names of its objects."""

    id: str
    owner: Person

    @property
    def picture(self) -> str:
        return f"{self.owner.id}/{self.id}/picture.png"

    @property
    def thumbnail(self) -> str:
        return f"{self.owner.id}/{self.id}/thumbnail.jpg"


class Pictures:
    """Saves, publishes and reads."""

    def __init__(self, stack: Stack, functions: Functions) -> None:
        self.stack = stack
        self.functions = functions

    def begin(self, person: Person) -> str:
        begun: Any = person.client.table("design_uploads").insert({"user_id": person.id}).execute().data
        return str(begun[0]["id"])

    def send(
        self,
        method: str,
        path: str,
        token: str = "",
        *,
        kind: str = "",
        content: bytes | None = None,
        json: Any = None,
        link_key: str = "",
    ) -> httpx.Response:
        """A request to Storage; without a token as a visitor."""
        headers = {"authorization": f"Bearer {token or self.stack.anon_key}", "apikey": self.stack.anon_key}
        if link_key:
            headers["x-design-key"] = link_key
        if kind:
            headers["content-type"] = kind
        return httpx.request(
            method,
            f"{self.stack.api_url}/storage/v1{path}",
            headers=headers,
            content=content,
            json=json,
            timeout=60,
        )

    def upload(self, person: Person, name: str, content: bytes, kind: str = "image/png") -> httpx.Response:
        return self.send("POST", f"/object/designs/{name}", person.token, kind=kind, content=content)

    def insert(self, person: Person, image_url: str) -> str:
        row = {"user_id": person.id, "name": "A fox", "image_url": image_url, "selected_colors": []}
        saved: Any = person.client.table("designs").insert(row).execute().data
        return str(saved[0]["id"])

    def save(self, person: Person, picture: bytes = PICTURE, thumbnail: bytes = THUMBNAIL) -> Saved:
        saved = Saved(self.begin(person), person)
        assert self.upload(person, saved.picture, picture).status_code == 200
        assert self.upload(person, saved.thumbnail, thumbnail, "image/jpeg").status_code == 200
        assert self.insert(person, saved.picture) == saved.id
        return saved

    def publish(self, design: Saved, *, copies: bool = True) -> str:
        """The publication's id. `copies`: as our own client, which shows the thumbnail at once."""
        person = design.owner
        person.client.table("profiles").update({"public_name": "Inky"}).eq("id", person.id).execute()
        made: Any = (
            person.client.table("public_designs")
            .insert({"design_id": design.id, "user_id": person.id})
            .execute()
            .data
        )
        publication = str(made[0]["id"])
        if copies:
            assert self.copy(person, design.thumbnail, f"{publication}.jpg").status_code == 200
        return publication

    def copy(self, person: Person, source: str, target: str) -> httpx.Response:
        names = {
            "bucketId": "designs",
            "sourceKey": source,
            "destinationBucket": "design-thumbnails",
            "destinationKey": target,
        }
        return self.send("POST", "/object/copy", person.token, json=names)

    def shown(self, publication: str) -> httpx.Response:
        return httpx.get(
            f"{self.stack.api_url}/storage/v1/object/public/design-thumbnails/{publication}.jpg", timeout=30
        )

    def signed(self, name: str, token: str = "", link_key: str = "") -> bytes | None:
        """The object by an address that Storage signs for this caller; None where it signs none."""
        sign = {"expiresIn": 60}
        response = self.send("POST", f"/object/sign/designs/{name}", token, json=sign, link_key=link_key)
        if response.status_code != 200:
            assert response.json()["error"] == "not_found", response.text
            return None
        return httpx.get(f"{self.stack.api_url}/storage/v1{response.json()['signedURL']}").content

    def sweep(self) -> dict[str, Any]:
        """Skips the time that tasks would wait, runs the sweep, and waits for what the shop's own has taken up."""
        self.functions.sql("update private.object_tasks set due_at = now() where leased_until is null")
        due = self.functions.sql("select id from private.object_tasks where due_at <= now()")
        result = self.functions.sweep()
        self.functions.until(
            "select 1 where not exists (select 1 from private.object_tasks"
            " where id = any(%s) and leased_until > now())",
            [task["id"] for task in due],
        )
        return result

    def objects(self, folder: str) -> list[str]:
        rows = self.functions.sql(
            "select bucket_id || '/' || name as name from storage.objects where position(%s in name) > 0 order by 1",
            folder,
        )
        return [row["name"] for row in rows]
