"""Predictions and their life: starting → processing → succeeded, failed or canceled."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import json
import logging
import secrets
import time
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from emulators.assets import Assets
from emulators.core.inputs import read_number
from emulators.core.store import Document, Store, public
from emulators.render_pool import RenderPool
from emulators.replicate.errors import ProblemError
from emulators.replicate.files import Files, timestamp
from emulators.replicate.models import Model
from emulators.replicate.safety import is_refused
from emulators.replicate.tasks import MAKER, run_task
from emulators.webhook_dispatcher import WebhookDispatcher

logger = logging.getLogger("emulators.replicate")

WEBHOOK_SECRET = "whsec_" + base64.b64encode(b"teesmith-replicate-emulator").decode()
_ALPHABET = "abcdefghjkmnpqrstvwxyz0123456789"
_PAGE = 100
_DONE = ("succeeded", "failed", "canceled", "aborted")
_FLAGGED = "The input or output was flagged as sensitive. Please try again with different inputs. (E005) ({})"


def sign(message: Document) -> dict[str, str]:
    """Replicate signs `id.timestamp.body` with the decoded part of the secret after `whsec_`."""
    stamp = str(int(time.time()))
    key = base64.b64decode(message["secret"].removeprefix("whsec_"))
    signed = f"{message['about']}.{stamp}.{message['body']}".encode()
    signature = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return {
        "webhook-id": message["about"],
        "webhook-timestamp": stamp,
        "webhook-signature": f"v1,{signature}",
    }


def _cursor(text: str, newest: int) -> int:
    """Return where a page begins; the newest without a cursor, 400 for what is none."""
    if not text:
        return newest
    try:
        number = base64.urlsafe_b64decode(text).decode().removeprefix("p=")
    except ValueError as error:
        raise ProblemError(400, "Invalid cursor", "The cursor is not valid.") from error
    position = read_number(number, 1_000_000_000)
    if position is None:
        raise ProblemError(400, "Invalid cursor", "The cursor is not valid.")
    return int(position)


class Predictions:
    """Outputs lie in `folder`; a prediction's data is dropped an hour after it ended, as the vendor does."""

    def __init__(
        self, store: Store, folder: Path, files: Files, render_pool: RenderPool, base_url: str, assets: Assets
    ) -> None:
        self._store = store
        self._folder = folder
        self._files = files
        self._render_pool = render_pool
        self._base_url = base_url
        self._assets = assets
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self.webhooks = WebhookDispatcher(store, "replicate", sign)
        folder.mkdir(parents=True, exist_ok=True)
        for document in store.each("replicate.prediction"):
            if document["status"] not in _DONE:
                self._end(document, "failed", error="Prediction interrupted; please retry (code: PA)")

    def create(self, model: Model, body: dict[str, Any], source: str = "api") -> str:
        """Starts a prediction and gives its id."""
        inputs = model.check(body.get("input"))
        self._drop_old()
        id = "".join(secrets.choice(_ALPHABET) for _ in range(26))
        self._store.put(
            "replicate.prediction",
            {
                "id": id,
                "model": f"{model.owner}/{model.name}",
                "version": "hidden",
                "input": dict(body["input"]),
                "logs": f"Emulated: made by {MAKER}.\n",
                "output": None,
                "data_removed": False,
                "error": None,
                "status": "starting",
                "created_at": timestamp(),
                "source": source,
                "urls": {
                    "cancel": f"{self._base_url}/v1/predictions/{id}/cancel",
                    "get": f"{self._base_url}/v1/predictions/{id}",
                    "stream": f"{self._base_url}/v1/predictions/{id}",
                    "web": f"{self._base_url}/p/{id}",
                },
                "_webhook": body.get("webhook"),
                "_filter": body.get("webhook_events_filter") or ["completed"],
                "_ended": None,
            },
        )
        self._tasks[id] = asyncio.create_task(self._run(id, model, inputs))
        return id

    def get(self, id: str) -> Document:
        return self._public(self._store.require("replicate.prediction", id, ProblemError.missing))

    def page(self, query: Mapping[str, str]) -> Document:
        """A hundred, newest first, with the addresses of the pages beside it.

        A cursor is how many predictions there were before the page began, so that new ones do not move it.
        """
        total = self._store.count("replicate.prediction")
        first = min(_cursor(query.get("cursor", ""), total), total)
        rows = self._store.list("replicate.prediction", limit=_PAGE, offset=total - first)
        return {
            "previous": self._address(min(first + _PAGE, total)) if first < total else None,
            "next": self._address(first - _PAGE) if first > _PAGE else None,
            # outputs left out: the vendor's are short addresses, ours whole pictures
            "results": [self._public({**row, "_output": None}) for row in rows],
        }

    def _address(self, cursor: int) -> str:
        text = base64.urlsafe_b64encode(f"p={cursor}".encode()).decode()
        return f"{self._base_url}/v1/predictions?{urlencode({'cursor': text})}"

    async def wait(self, id: str, seconds: float) -> Document:
        """The prediction once it has ended, or as it is after `seconds`."""
        task = self._tasks.get(id)
        if task is not None:
            await asyncio.wait([task], timeout=seconds)
        return self.get(id)

    def cancel(self, id: str) -> Document:
        document = self.get(id)
        task = self._tasks.get(id)
        if task is not None and document["status"] not in _DONE:
            task.cancel()
            stored = self._store.get("replicate.prediction", id)
            self._end(stored or document, "canceled")
        return self.get(id)

    async def _run(self, id: str, model: Model, inputs: dict[str, Any]) -> None:
        document = self._store.get("replicate.prediction", id)
        if document is None:
            return
        try:
            document.update(status="processing", started_at=timestamp())
            self._store.put("replicate.prediction", document)
            began = time.perf_counter()
            if is_refused(str(inputs.get("prompt") or "")):
                self._end(document, "failed", error=_FLAGGED.format(id[:10]))
                return
            images = await self._images(model, inputs)
            pictures = await self._render_pool.run(run_task, model.task, inputs, images, self._assets)
            document["metrics"] = {"predict_time": round(time.perf_counter() - began, 6)}
            document["_output"] = [
                self._save_picture(id, number, *picture) for number, picture in enumerate(pictures)
            ]
            document["_listed"] = model.listed
            self._end(document, "succeeded")
        except (ValueError, ProblemError) as error:
            self._end(document, "failed", error=str(error))
        except Exception:
            logger.exception("prediction %s of %s failed", id, document["model"])
            self._end(document, "failed", error="Prediction failed for an unknown reason. (E9243)")
        finally:
            self._tasks.pop(id, None)

    async def _images(self, model: Model, inputs: dict[str, Any]) -> dict[str, bytes]:
        images: dict[str, bytes] = {}
        for name, rule in model.inputs.items():
            value = inputs.get(name)
            if rule.kind == "uri" and value:
                images[name] = await self._files.fetch(value)
            elif rule.kind == "uris" and value:
                images[name] = await self._files.fetch(value[0])
        return images

    def _save_picture(self, id: str, number: int, content: bytes, media_type: str) -> dict[str, str]:
        name = f"{id}-{number}"
        (self._folder / name).write_bytes(content)
        return {"name": name, "media_type": media_type}

    def _end(self, document: Document, status: str, error: str | None = None) -> None:
        document.update(status=status, error=error, completed_at=timestamp(), _ended=time.time())
        self._store.put("replicate.prediction", document)
        if document["_webhook"] and "completed" in document["_filter"]:
            body = json.dumps(self._public(document))
            self.webhooks.send(document["_webhook"], body, WEBHOOK_SECRET, f"msg_{uuid.uuid4().hex}")

    def _public(self, document: Document) -> Document:
        """As the vendor shows it. Outputs are data URIs: official clients read those and https alone."""
        shown = public(document)
        if document["status"] == "succeeded" and not document["data_removed"] and document.get("_output"):
            output = [self._data_uri(kept) for kept in document["_output"]]
            shown["output"] = output if document["_listed"] else output[0]
        return shown

    def _data_uri(self, kept: dict[str, str]) -> str:
        content = (self._folder / kept["name"]).read_bytes()
        return f"data:{kept['media_type']};base64,{base64.b64encode(content).decode()}"

    def _drop_old(self) -> None:
        for document in self._store.each("replicate.prediction"):
            if document["data_removed"] or not document["_ended"] or document["_ended"] > time.time() - 3600:
                continue
            for kept in document.get("_output") or []:
                (self._folder / kept["name"]).unlink(missing_ok=True)
            document.update(data_removed=True, input={}, output=None, logs="")
            self._store.put("replicate.prediction", document)
