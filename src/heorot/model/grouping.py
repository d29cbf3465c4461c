"""Groups items by a key: all of them, or the best of each."""

from collections.abc import Callable, Hashable, Iterable
from typing import Any, TypeVar

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")


def group_by(items: Iterable[T], key: Callable[[T], K]) -> dict[K, list[T]]:
    """The items of each key; keys and items in the order of the input."""
    groups: dict[K, list[T]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups


def best_of_each(items: Iterable[T], key: Callable[[T], K], rank: Callable[[T], Any]) -> dict[K, T]:
    """The item of the highest rank of each key, of equals the first."""
    return {each: max(group, key=rank) for each, group in group_by(items, key).items()}
