"""The picture's cast: the idea's things as icons, how many, in which colour, and how they stand."""

from __future__ import annotations

from dataclasses import dataclass, field

from emulators.artist.icons import Icons
from emulators.artist.lexicon import (
    ACTIVITIES,
    COLOURS,
    FIGURATIVE,
    NUMBERS,
    PLACES,
    RELATIONS,
    SCENES,
    STOP,
    SYNONYMS,
    stem,
    words_of,
)


@dataclass
class Actor:
    """One thing of the idea. `relation` is its place relative to the one before it."""

    icon: str
    word: str
    count: int = 1
    tint: str | None = None
    relation: str = "beside"
    wearer: str | None = None


@dataclass(frozen=True)
class Cast:
    """`unknown` are the significant words without an icon; `scene` a landscape, or empty."""

    actors: list[Actor]
    scene: str
    unknown: list[str] = field(default_factory=list)


_COSTUMES = (":astronaut",)
_LIVING = ("animal", "furry", "person")
_HATS = (
    "samurai-helmet",
    "viking-helmet",
    "spartan-helmet",
    "ninja-head",
    "pointy-hat",
    "top-hat",
    "crown",
    "pirate-hat",
)
# Telling words that only stand in for something else's name where more words follow.
_LEADING = frozenset(("hot", "old", "cold", "flying", "running", "little"))


def face_of(reference: str, icons: Icons) -> str:
    """The head alone, where the set has one."""
    set_, _, name = reference.partition(":")
    face = icons.in_set(f"{set_}:{name}-face", set_)
    return f"{set_}:{name}-face" if face else reference


_WHERE = ("on", "in", "at", "by", "near", "under", "beneath", "behind", "through", "among", "inside")


class _Reader:
    """Goes through the words once; number, colour and relation come before their thing and are saved for it."""

    def __init__(self, words: list[str], icons: Icons) -> None:
        self.words, self.icons = words, icons
        self.actors: list[Actor] = []
        self.unknown: list[str] = []
        self.joined = False
        self._forget()

    def _forget(self) -> None:
        self.count, self.relation = 1, "beside"
        self.tint: str | None = None

    def read(self) -> None:
        place = 0
        while place < len(self.words):
            place += self._step(place)

    def _step(self, place: int) -> int:
        word = self.words[place]
        # "A fox reading a book" has one book: a verb that something follows only gives the relation of that thing. What
        # follows in "surfing on a lake" is no wave: there the verb brings its own.
        follows = place + 1 < len(self.words)
        alone = word in ACTIVITIES and follows and self.words[place + 1] in _WHERE
        if word in RELATIONS and self.actors and follows and not alone:
            self.relation, self.joined = RELATIONS[word], False
            return 1
        if word in ACTIVITIES and (prop := self.icons.best(ACTIVITIES[word][0])):
            self.actors.append(Actor(prop, word, relation=ACTIVITIES[word][1]))
            self.joined = False
            return 1
        reference, used = _find(self.words, place, self.icons)
        if reference is not None:
            self._enter(reference, " ".join(self.words[place : place + used]))
            return used
        self.joined = False
        self._note(word)
        return 1

    def _note(self, word: str) -> None:
        if word in NUMBERS or word.isdigit():
            self.count = max(1, min(12, NUMBERS[word] if word in NUMBERS else int(word)))
            if word.isdigit() and int(word) > 12:
                self.count = 1
                self.unknown.append(word)
        elif word in COLOURS:
            self.tint = COLOURS[word]
        elif word in RELATIONS:
            self.relation = RELATIONS[word]
        elif word not in STOP and len(word) > 2:
            self.unknown.append(word)

    def _enter(self, reference: str, said: str) -> None:
        last = self.actors[-1] if self.actors else None
        if self.joined and last and last.icon.endswith(_COSTUMES):
            # "An astronaut cat" is one figure: the cat, in the astronaut's suit.
            last.wearer = face_of(reference, self.icons)
        elif self.joined and last and reference.endswith(_COSTUMES):
            last.wearer, last.icon = face_of(last.icon, self.icons), reference
        else:
            relation = self._standing(reference, said)
            actor = Actor(reference, said, self.count, self.tint, relation)
            if self.joined and last and self._living(reference) and not self._living(last.icon):
                # In "taco cat" the cat is the noun and the taco comes with it.
                last.relation, actor.tint = "with", actor.tint or last.tint
                self.actors.insert(len(self.actors) - 1, actor)
            else:
                self.actors.append(actor)
        self._forget()
        self.joined = True

    def _standing(self, reference: str, said: str) -> str:
        """The relation of the thing, by the words before it and by what it is."""
        kind, relation = self.icons.get(reference).kind, self.relation
        if self.actors and self.joined and reference.endswith(_HATS):
            return "worn"
        if kind == "sky" and self.actors:
            return "above"
        if relation == "in":
            if reference.endswith("heart"):
                return "beside"
            return "behind" if _is_place(said) else "inside"
        return relation

    def _living(self, reference: str) -> bool:
        return self.icons.get(reference).kind in _LIVING


def read_cast(idea: str, icons: Icons) -> Cast:
    words = words_of(idea)
    reader = _Reader(words, icons)
    reader.read()
    actors = _distinct(reader.actors)
    # "A snowboarding yeti" names what it rides before it names the rider.
    props = [actor for actor in actors if actor.word in ACTIVITIES]
    if props and len(props) < len(actors):
        rest = [actor for actor in actors if actor.word not in ACTIVITIES]
        actors = [rest[0], *props, *rest[1:]]
    return Cast(actors[:4], _scene(words), reader.unknown)


def _is_place(said: str) -> bool:
    return any(word in PLACES or stem(word) in PLACES for word in said.split())


def _find(words: list[str], place: int, icons: Icons) -> tuple[str | None, int]:
    """The icon of the longest phrase that starts here, and how many words it takes."""
    first = words[place]
    if first.isdigit() or first in NUMBERS:
        return None, 1
    for length in (4, 3, 2, 1):
        phrase = words[place : place + length]
        if len(phrase) < length or (
            length > 1 and first not in _LEADING and (first in STOP or first in RELATIONS)
        ):
            continue
        if length == 1 and (first in STOP or first in COLOURS or first in FIGURATIVE or len(first) < 2):
            return None, 1
        text = " ".join(stem(word) for word in phrase)
        for candidate in _readings(phrase, text):
            reference = icons.best(candidate)
            # A tag of a doing ("floating" → bubbles) says nothing about the idea's things.
            if reference is not None and (length > 1 or not first.endswith("ing") or candidate != first):
                return reference, length
    return None, 1


def _readings(phrase: list[str], text: str) -> list[str]:
    readings = [text]
    for form in (text, " ".join(phrase)):
        if form in SYNONYMS:
            target = SYNONYMS[form]
            readings.insert(0, target if ":" in target else " ".join(stem(part) for part in target.split()))
    if len(phrase) == 1:
        word = phrase[0]
        readings.append(word)
    return readings


def _distinct(actors: list[Actor]) -> list[Actor]:
    seen: dict[str, Actor] = {}
    for actor in actors:
        if actor.icon in seen:
            seen[actor.icon].count = max(seen[actor.icon].count, actor.count)
        else:
            seen[actor.icon] = actor
    return list(seen.values())


def _scene(words: list[str]) -> str:
    scores = {
        name: sum(1 for word in words if word in telling or stem(word) in telling)
        for name, telling in SCENES.items()
    }
    first = next((name for word in words for name in SCENES if {word, stem(word)} & set(SCENES[name])), "")
    # Of two places the one that is named first is the place.
    best = max(scores, key=lambda name: scores[name] + (1.5 if name == first else 0))
    return best if scores[best] else ""
