"""People who draw and keep pictures: what the shop has acknowledged, it must have at the end."""

from __future__ import annotations

import base64
import hashlib
import random
import threading
import time
import uuid
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any

import httpx

from tests.support.stacks import Stack
from tests.support.users import Users

Json = dict[str, Any]
# A person who wants their picture asks again for as long as this, in seconds.
_PATIENCE = 120.0
_IDEA: Json = {
    "prompt": "A circle", "style": "Minimalist", "mood": "colorful", "background_color_name": "Black",
    "background_color_hex": "#1A1A1A", "has_typography": False,
}  # fmt: skip


@dataclass(frozen=True)
class Artist:
    """A signed-in person."""

    id: str
    email: str
    token: str


@dataclass(frozen=True)
class Kept:
    """A picture whose upload and design the shop has acknowledged."""

    owner: Artist
    design: str
    sha256: str

    @property
    def name(self) -> str:
        return f"{self.owner.id}/{self.design}/picture.png"


@dataclass
class Drawing:
    """What became of all of them."""

    kept: list[Kept] = field(default_factory=list)
    gave_up: int = 0
    problems: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)


def make_artists(stack: Stack, number: int) -> list[Artist]:
    users = Users(stack)
    people = [users.new("artist") for _ in range(number)]
    return [Artist(person.id, person.email, person.token) for person in people]


class Studio:
    """Draws and keeps, by the public API alone."""

    def __init__(self, stack: Stack, drawing: Drawing) -> None:
        self._stack = stack
        self._drawing = drawing
        self._http = httpx.Client(base_url=stack.api_url, timeout=60)

    def draw(self, artist: Artist, seed: int) -> None:
        """One picture, drawn and kept. A repeated call names the same job, upload and design."""
        chance = random.Random(seed)
        job = str(uuid.UUID(int=chance.getrandbits(128), version=4))
        deadline = time.monotonic() + _PATIENCE
        body = _IDEA | {"seed": seed % 1000, "job_id": job}
        drawn = self._until(
            deadline, chance, lambda: self._send("POST", "/functions/v1/generate-design-image", artist, json=body)
        )  # fmt: skip
        picture = base64.b64decode(drawn["image"]) if drawn else b""
        design = self._until(deadline, chance, lambda: self._begin(artist)) if drawn else None
        if not design:
            with self._drawing.lock:
                self._drawing.gave_up += 1
            return
        kept = Kept(artist, str(design["id"]), hashlib.sha256(picture).hexdigest())
        if self._until(deadline, chance, lambda: self._keep(kept, picture)):
            with self._drawing.lock:
                self._drawing.kept.append(kept)

    def _begin(self, artist: Artist) -> Json | None:
        made = self._send(
            "POST",
            "/rest/v1/design_uploads?select=id",
            artist,
            json={"user_id": artist.id},
            headers={"prefer": "return=representation"},
        )
        return made[0] if isinstance(made, list) else None

    def _keep(self, kept: Kept, picture: bytes) -> Json | None:
        path = f"/storage/v1/object/designs/{kept.name}"
        sent = self._send(
            "POST", path, kept.owner, content=picture, headers={"content-type": "image/png"}, known={400, 409}
        )
        if sent is None:
            return None
        row = {"user_id": kept.owner.id, "name": "Circle", "image_url": kept.name, "selected_colors": []}
        saved: Json | None = self._send("POST", "/rest/v1/designs", kept.owner, json=row, known={409})
        return saved

    def is_there(self, kept: Kept) -> bool:
        """Tell whether its owner finds the row and the very bytes."""
        rows = self._send("GET", f"/rest/v1/designs?id=eq.{kept.design}&select=image_url", kept.owner)
        if rows != [{"image_url": kept.name}]:
            return False
        response = self._http.get(
            f"/storage/v1/object/authenticated/designs/{kept.name}", headers=self._headers(kept.owner)
        )
        return response.status_code == 200 and hashlib.sha256(response.content).hexdigest() == kept.sha256

    def _headers(self, artist: Artist) -> dict[str, str]:
        return {"apikey": self._stack.publishable_key, "authorization": f"Bearer {artist.token}"}

    def _send(self, method: str, path: str, artist: Artist, known: Collection[int] = (), **sent: Any) -> Any:
        """The answer's JSON; None where there is none. `known` statuses say that it has been done before."""
        headers = self._headers(artist) | sent.pop("headers", {})
        response = self._http.request(method, path, headers=headers, **sent)
        if response.status_code in known:
            return {"known": True}
        if response.status_code >= 300:
            return None
        return response.json() if response.content else {"done": True}

    def _until(self, deadline: float, chance: random.Random, ask: Callable[[], Any]) -> Any:
        while time.monotonic() < deadline:
            try:
                answer = ask()
            except (httpx.HTTPError, ValueError):
                answer = None
            if answer is not None:
                return answer
            with self._drawing.lock:
                self._drawing.problems += 1
            time.sleep(chance.uniform(0.5, 1.5))
        return None
