"""Broadcasts over HTTP: `POST /api/broadcast` (several) and `POST /api/broadcast/{topic}/events/{event}` (one)."""

from __future__ import annotations

import asyncio
import logging
from typing import Any
from urllib.parse import parse_qs, unquote

from localbase.core.authenticator import bearer
from localbase.core.errors import ApiError
from localbase.core.json_text import read_json
from localbase.core.web.http import Request, Response, json_response
from localbase.realtime.authorization import AuthorizationFailed, Subject
from localbase.realtime.frames import Broadcast, MalformedMessage, dump_json
from localbase.realtime.hub.topics import Topic
from localbase.realtime.services import Services
from localbase.realtime.tokens import Token, TokenRefused

_log = logging.getLogger("localbase.realtime")
_MOST_JSON_BYTES = 8_000_000
# What takes time is the number of values, each with a sign of its own.
_MARKS, _MOST_MARKS = (b",", b":", b"[", b"{"), 150_000
_BLANK, _INVALID, _TOO_LARGE = "can't be blank", "is invalid", "Payload size exceeds tenant limit"
_EXCEEDED = "You have exceeded your rate limit"
_TOO_MANY = "Too many messages to broadcast, please reduce the batch size"

Faults = dict[str, list[str]]


async def broadcast_batch(services: Services, request: Request) -> Response:
    """Several messages. Those to private topics that the caller may not write to are left out, as upstream."""
    token = _token_of(services, request)
    if not _media_type(request).endswith("json"):
        raise ApiError(415, "", "Unsupported Media Type")
    body = await _json_of(request)
    _dumped(body)
    messages = body.get("messages") if isinstance(body, dict) else None
    if messages is None:
        return json_response(422, {"errors": {"messages": [_BLANK]}})
    if not isinstance(messages, list):
        return json_response(422, {"errors": {"messages": [_INVALID]}})
    if not services.hub.room_for_events(request.peer, len(messages)):
        raise ApiError(429, "", _EXCEEDED if not services.hub.room_for_events(request.peer, 1) else _TOO_MANY)
    entries = [_read(services, entry) for entry in messages]
    if any(faults for faults, _ in entries):
        return json_response(422, {"errors": {"messages": [faults for faults, _ in entries]}})
    await asyncio.sleep(0)
    allowed: dict[str, bool] = {}
    for entry, (_, payload) in zip(messages, entries, strict=True):
        topic = Topic(entry["topic"], entry.get("private") in (True, "true"))
        if topic.private and topic.name not in allowed:
            allowed[topic.name] = await _may_write_quietly(services, token, request, topic)
        if not topic.private or allowed[topic.name]:
            message = b'{"event":%b,"payload":%b,"type":"broadcast"}' % (dump_json(entry["event"]), payload)
            services.hub.count_events(request.peer, 1)
            services.hub.broadcast(topic, Broadcast(message))
    return Response(202)


async def broadcast_one(services: Services, request: Request) -> Response:
    """One message: JSON, or any bytes. 403 where the caller may not write to the private topic."""
    _, _, name, _, event = request.raw_path.removeprefix("/api").split("/")
    topic = Topic(unquote(name), parse_qs(request.query.decode("latin-1")).get("private") == ["true"])
    event = unquote(event)
    media_type = _media_type(request)
    if media_type not in ("application/json", "application/octet-stream"):
        raise ApiError(415, "", "Unsupported Media Type")
    token = _token_of(services, request)
    if media_type == "application/json":
        payload = await _json_of(request)
        data = _dumped(payload if isinstance(payload, dict) else {"_json": payload})
        broadcast = Broadcast(data, event)
    else:
        broadcast = Broadcast(request.body, event, is_json=False)
    if len(broadcast.data) > services.most_payload_bytes:
        return json_response(422, {"errors": {"payload": [_TOO_LARGE]}})
    if not services.hub.room_for_events(request.peer, 1):
        raise ApiError(429, "", _EXCEEDED)
    if topic.private and not await _may_write(services, token, request, topic):
        raise ApiError(403, "", "Unauthorized")
    services.hub.count_events(request.peer, 1)
    services.hub.broadcast(topic, broadcast)
    return Response(202)


def _read(services: Services, entry: Any) -> tuple[Faults, bytes]:
    """Return what is wrong with a message, and its payload as JSON."""
    if not isinstance(entry, dict):
        return {"topic": [_BLANK], "payload": [_BLANK], "event": [_BLANK]}, b""
    faults: Faults = {}
    for name, kind in (("topic", str), ("payload", dict), ("event", str)):
        value = entry.get(name)
        if value is None or value == "":
            faults[name] = [_BLANK]
        elif not isinstance(value, kind):
            faults[name] = [_INVALID]
    if entry.get("private") not in (None, True, False, "true", "false"):
        faults["private"] = [_INVALID]
    payload = b"" if "payload" in faults else dump_json(entry["payload"])
    if len(payload) > services.most_payload_bytes:
        faults["payload"] = [_TOO_LARGE]
    return faults, payload


def _token_of(services: Services, request: Request) -> Token:
    text = bearer(request.headers) or request.headers.get("apikey")
    if not text:
        raise ApiError(401, "", "Unauthorized")
    try:
        return services.tokens.verify(text)
    except TokenRefused as error:
        raise ApiError(401, "", "Unauthorized") from error


def _media_type(request: Request) -> str:
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


async def _json_of(request: Request) -> Any:
    body = request.body
    if len(body) > _MOST_JSON_BYTES or sum(body.count(mark) for mark in _MARKS) > _MOST_MARKS:
        # To read it would stop all others meanwhile.
        raise ApiError(413, "", "Request Entity Too Large")
    try:
        value = read_json(body, _MOST_MARKS)
    except ValueError as error:
        raise ApiError(400, "", "Bad Request") from error
    await asyncio.sleep(0)  # reading took its time, and so does what follows
    return value


def _dumped(value: Any) -> bytes:
    """400 for what Python reads and JSON does not have (NaN)."""
    try:
        return dump_json(value)
    except MalformedMessage as error:
        raise ApiError(400, "", "Bad Request") from error


async def _may_write(services: Services, token: Token, request: Request, topic: Topic) -> bool:
    try:
        subject = Subject(token, request.headers, topic.name)
        return (await services.authorizer.may_write(subject)).broadcast
    except AuthorizationFailed as error:
        _log.info("%s for topic %s: %s", error.code, topic.name, error.cause)
        status = 429 if error.code == "IncreaseConnectionPool" else 422
        raise ApiError(status, "", error.message or "RLS policy error") from error


async def _may_write_quietly(services: Services, token: Token, request: Request, topic: Topic) -> bool:
    try:
        return await _may_write(services, token, request, topic)
    except ApiError:
        return False
