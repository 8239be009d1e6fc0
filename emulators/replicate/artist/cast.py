"""Who is in the picture: the idea's things as icons, how many, in which colour, and how they stand."""

from __future__ import annotations

from dataclasses import dataclass, field

from emulators.replicate.artist.icons import Icons
from emulators.replicate.artist.words import (
    COLOURS,
    NUMBERS,
    RELATIONS,
    SCENES,
    STOP,
    SYNONYMS,
    stem,
    words_of,
)


@dataclass
class Actor:
    """One thing of the idea. `relation` says how it stands to the one before it."""

    icon: str
    word: str
    count: int = 1
    tint: str | None = None
    relation: str = "beside"
    wearer: str | None = None


@dataclass(frozen=True)
class Cast:
    """`unknown` are the telling words that no icon stands for; `scene` a landscape, or empty."""

    actors: list[Actor]
    scene: str
    unknown: list[str] = field(default_factory=list)


_COSTUMES = (":astronaut",)


def face_of(reference: str, icons: Icons) -> str:
    """The head alone, where the set has one."""
    set_, _, name = reference.partition(":")
    face = icons.in_set(f"{set_}:{name}-face", set_)
    return f"{set_}:{name}-face" if face else reference


def read_cast(idea: str, icons: Icons) -> Cast:
    words = words_of(idea)
    actors: list[Actor] = []
    unknown: list[str] = []
    count, tint, relation = 1, None, "beside"
    place = 0
    joined = False
    while place < len(words):
        word = words[place]
        # "A fox reading a book" has one book: a verb that something follows only says how that thing stands.
        verb = word in RELATIONS and place + 1 < len(words) and (place > 0 or word in ("riding", "driving"))
        found, used = (None, 1) if verb else _find(words, place, icons)
        if found is not None:
            if joined and actors[-1].icon.endswith(_COSTUMES):
                # "An astronaut cat" is one figure: the cat, in the astronaut's suit.
                actors[-1].wearer = face_of(found, icons)
            elif joined and found.endswith(_COSTUMES):
                actors[-1].wearer, actors[-1].icon = face_of(actors[-1].icon, icons), found
            else:
                actors.append(Actor(found, " ".join(words[place : place + used]), count, tint, relation))
            count, tint, relation, joined = 1, None, "beside", True
            place += used
            continue
        joined = False
        if word in NUMBERS or word.isdigit():
            count = max(1, min(12, NUMBERS[word] if word in NUMBERS else int(word)))
        elif word in COLOURS:
            tint = COLOURS[word]
        elif word in RELATIONS:
            relation = RELATIONS[word]
        elif word not in STOP and len(word) > 2:
            unknown.append(word)
        place += 1
    return Cast(_distinct(actors)[:4], _scene(words), unknown)


def _find(words: list[str], place: int, icons: Icons) -> tuple[str | None, int]:
    """The icon of the longest phrase that starts here, and how many words it takes."""
    for length in (4, 3, 2, 1):
        phrase = words[place : place + length]
        if len(phrase) < length:
            continue
        if length == 1 and (phrase[0] in STOP or phrase[0] in COLOURS or phrase[0] in NUMBERS):
            return None, 1
        text = " ".join(stem(word) for word in phrase)
        for candidate in _readings(phrase, text):
            found = icons.best(candidate)
            if found is not None:
                return found, length
    return None, 1


def _readings(phrase: list[str], text: str) -> list[str]:
    readings = [text]
    if len(phrase) == 1:
        word = phrase[0]
        for form in (word, stem(word)):
            if form in SYNONYMS:
                readings.insert(0, " ".join(stem(part) for part in SYNONYMS[form].split()))
        readings.append(word)
        if word.endswith("ing") and len(word) > 5:
            readings += [word[:-3], word[:-3] + "e"]
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
    best = max(scores, key=lambda name: scores[name])
    return best if scores[best] else ""
