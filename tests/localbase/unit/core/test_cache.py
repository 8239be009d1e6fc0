"""core.cache: dictionaries with bounds."""

from __future__ import annotations

from localbase.core.cache import BoundedCache, cached_for_short_texts


def test_cache_full_of_entries_drops_its_older_half() -> None:
    cache: BoundedCache[int, str] = BoundedCache(4)
    for number in range(4):
        cache.put(number, str(number))
    assert [cache.get(number) for number in range(4)] == ["0", "1", "2", "3"]
    cache.put(4, "4")
    assert [cache.get(number) for number in range(5)] == [None, None, "2", "3", "4"]


def test_cache_full_of_bytes_drops_its_older_half() -> None:
    cache: BoundedCache[int, str] = BoundedCache(100, 100)
    for number, size in enumerate((25, 25, 20, 20)):
        cache.put(number, str(number), size)
    cache.put(4, "4", 11)
    assert [cache.get(number) for number in range(5)] == [None, None, "2", "3", "4"]


def test_cache_makes_room_until_a_large_entry_fits() -> None:
    cache: BoundedCache[str, str] = BoundedCache(100, 100)
    for name, size in (("a", 5), ("b", 5), ("c", 25), ("d", 25), ("e", 25)):
        cache.put(name, name, size)
    cache.put("f", "f", 25)
    assert [cache.get(name) for name in "abcdef"] == [None, None, None, "d", "e", "f"]


def test_entry_that_replaces_another_counts_once() -> None:
    cache: BoundedCache[str, int] = BoundedCache(100, 100)
    cache.put("stays", 0, 25)
    for number in range(50):
        cache.put("replaced", number, 25)
    assert (cache.get("stays"), cache.get("replaced")) == (0, 49)


def test_entry_of_a_quarter_of_the_cache_is_not_stored() -> None:
    cache: BoundedCache[str, str] = BoundedCache(100, 100)
    cache.put("small", "x", 25)
    cache.put("large", "x", 26)
    assert (cache.get("small"), cache.get("large")) == ("x", None)


def test_cache_without_entries_stores_nothing() -> None:
    cache: BoundedCache[str, str] = BoundedCache(0)
    cache.put("a", "b")
    assert cache.get("a") is None


def test_function_of_short_texts_runs_once_a_text_and_always_for_long_ones() -> None:
    texts: list[str] = []

    @cached_for_short_texts
    def measure(text: str) -> int:
        texts.append(text)
        return len(text)

    long = "x" * 300
    assert [measure("ab"), measure("ab"), measure(long), measure(long)] == [2, 2, 300, 300]
    assert texts == ["ab", long, long]
