"""Topics and their members: who gets what is sent to a topic."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from localbase.realtime.frames import Broadcast, Version, encode_message


@dataclass(frozen=True, slots=True)
class Topic:
    """A channel's name, without `realtime:`. A private topic and a public one of the same name are two."""

    name: str
    private: bool

    @property
    def joined(self) -> str:
        """The topic as clients join it."""
        return f"realtime:{self.name}"


class Member(Protocol):
    """A client's channel."""

    @property
    def id(self) -> str:
        """Its number, unlike those of all other channels."""

    @property
    def version(self) -> Version:
        """Of the protocol that its client speaks."""

    @property
    def address(self) -> str:
        """Its client's."""

    def takes_broadcast(self, id: str | None) -> bool:
        """Tell whether it may read broadcasts, and has not got the one with this id already."""

    @property
    def reads_presence(self) -> bool:
        """Tell whether it may see who is present."""

    def send(self, frame: bytes, id: str | None = None) -> None:
        """Sends it a frame without waiting; `id` is the broadcast's."""

    def shut_down(self, message: str) -> None:
        """Ends it, with the reason for its client."""


class Topics:
    """The members of every topic."""

    def __init__(self, counted: Callable[[str, int], bool]) -> None:
        """`counted` counts deliveries to an address, and answers whether there are too many."""
        self._members: dict[Topic, dict[Member, None]] = {}
        self._counted = counted

    def __len__(self) -> int:
        return len(self._members)

    def add(self, topic: Topic, member: Member) -> None:
        """Adds a member."""
        self._members.setdefault(topic, {})[member] = None

    def remove(self, topic: Topic, member: Member) -> None:
        """Removes a member."""
        members = self._members.get(topic, {})
        members.pop(member, None)
        if topic in self._members and not members:
            del self._members[topic]

    def broadcast(self, topic: Topic, broadcast: Broadcast, sender: Member | None = None) -> None:
        """Delivers a broadcast to all members but `sender`."""
        receivers = [
            member
            for member in self._members.get(topic, ())
            if member is not sender and member.takes_broadcast(broadcast.id)
        ]
        frames: dict[Version, bytes | None] = {}
        for member in receivers:
            if member.version not in frames:
                frames[member.version] = broadcast.encode(member.version, topic.joined)
            frame = frames[member.version]
            if frame is not None:
                member.send(frame, broadcast.id)
        deliveries = Counter(member.address for member in receivers)
        exceeded = {address for address, times in deliveries.items() if self._counted(address, times)}
        for member in receivers if exceeded else ():
            if member.address in exceeded:
                member.shut_down("Too many messages per second")

    def presence_diff(self, topic: Topic, diff: bytes) -> None:
        """Delivers a change of who is present."""
        frames: dict[Version, bytes] = {}
        for member in list(self._members.get(topic, ())):
            if member.reads_presence:
                version = member.version
                if version not in frames:
                    frames[version] = encode_message(version, None, None, topic.joined, "presence_diff", diff)
                member.send(frames[version])
