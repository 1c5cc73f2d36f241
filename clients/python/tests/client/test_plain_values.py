"""The methods of a cache return plain values.

For a miss they return None. Writes with a condition return whether the item was stored.
"""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from larder_cache import Cache, CacheError, ErrorCode, ValueAndHash, ValueAndLength
from larder_cache import responses as r
from larder_cache import sync
from larder_cache.codecs import JsonCodec
from larder_cache.fake import FakeServer

HASH = b"no such hash"
ANN = r.ScoredElement(b"ann", 1.5)

# The items that exist before each call: a scalar, a counter, and a collection of each type with one element.
GIVEN: list[tuple[str, tuple[Any, ...]]] = [
    ("set", ("k", "value")),
    ("set", ("n", "5")),
    ("dictionary_set", ("d", {"f": "1"})),
    ("set_union", ("s", ["e"])),
    ("list_concatenate_back", ("l", ["a"])),
    ("sorted_set_put", ("z", {"ann": 1.5})),
]

# Each row is a call, its arguments, and its return value.
RETURNED: list[tuple[str, tuple[Any, ...], Any]] = [
    ("get", ("k",), b"value"),
    ("get", ("none",), None),
    ("get", ("none", 7), 7),
    ("set", ("k", "v"), None),
    ("delete", ("k",), None),
    ("increment", ("n", 2), 7),
    ("item_get_ttl", ("k",), 59.999),
    ("item_get_ttl", ("none",), None),
    ("item_get_type", ("l",), r.ItemType.LIST),
    ("item_get_type", ("none",), None),
    ("get_with_hash", ("none",), None),
    ("update_ttl", ("k", 30), True),
    ("update_ttl", ("none", 30), False),
    ("increase_ttl", ("k", 90), True),
    ("increase_ttl", ("k", 30), False),
    ("decrease_ttl", ("k", 30), True),
    ("decrease_ttl", ("k", 90), False),
    ("update_ttl_if_prefix", ("k", "val"), True),
    ("update_ttl_if_prefix", ("k", "other"), False),
    ("update_ttl_if_prefix", ("none", "v"), False),
    ("set_if_absent", ("new", "v"), True),
    ("set_if_absent", ("k", "v"), False),
    ("set_if_present", ("k", "v"), True),
    ("set_if_present", ("none", "v"), False),
    ("set_if_equal", ("k", "v", "value"), True),
    ("set_if_not_equal", ("k", "v", "value"), False),
    ("set_if_present_and_not_equal", ("k", "v", "other"), True),
    ("set_if_absent_or_equal", ("k", "v", "other"), False),
    ("set_if_present_and_hash_equal", ("k", "v", HASH), None),
    ("set_if_absent_or_hash_equal", ("k", "v", HASH), None),
    ("keys_exist", (["k", "none"],), [True, False]),
    ("key_exists", ("k",), True),
    ("key_exists", ("none",), False),
    ("get_batch", (["none", "k", "n"],), {"k": b"value", "n": b"5"}),
    ("get_batch", ([b"k"],), {b"k": b"value"}),
    ("set_batch", ({"k": "1", "m": "2"},), None),
    ("delete_each", (["k", "none"],), None),
    ("set_with_tags", ("k", "v", ["tag"]), None),
    ("remove_by_tag", (["tag"],), None),
    ("publish", ("topic", "message"), None),
    ("scan_items", ("d",), r.DictionaryPage([r.DictionaryField(b"f", b"1")], b"")),
    ("scan_items", ("s",), r.SetPage([b"e"], b"")),
    ("scan_items", ("l",), r.ListPage([b"a"], b"")),
    ("scan_items", ("z",), r.SortedSetPage([ANN], b"")),
    ("scan_items", ("none",), None),
    ("dictionary_get", ("d", ["f", "g"]), [b"1", None]),
    ("dictionary_get", ("none", ["f"]), None),
    ("dictionary_get_fields", ("d", ["f"]), [b"1"]),
    ("dictionary_get_field", ("d", "f"), b"1"),
    ("dictionary_get_field", ("d", "g"), None),
    ("dictionary_fetch", ("d",), {b"f": b"1"}),
    ("dictionary_fetch", ("none",), None),
    ("dictionary_set", ("d", {"f": "2"}), None),
    ("dictionary_set_field", ("d", "f", "2"), None),
    ("dictionary_set_fields", ("d", {"f": "2"}), None),
    ("dictionary_increment", ("d", "f", 4), 5),
    ("dictionary_delete", ("d",), None),
    ("dictionary_remove", ("d", ["f"]), None),
    ("dictionary_remove_field", ("d", "f"), None),
    ("dictionary_remove_fields", ("d", ["f"]), None),
    ("dictionary_length", ("d",), 1),
    ("dictionary_length", ("none",), None),
    ("set_fetch", ("s",), [b"e"]),
    ("set_fetch", ("none",), None),
    ("set_sample", ("s", 3), [b"e"]),
    ("set_union", ("s", ["g"]), None),
    ("set_add_element", ("s", "g"), None),
    ("set_add_elements", ("s", ["g"]), None),
    ("set_difference", ("s", ["e"]), None),
    ("set_difference", ("none", ["e"]), None),
    ("set_difference_from", ("s", ["e"]), None),
    ("set_remove_element", ("s", "e"), None),
    ("set_remove_elements", ("s", ["e"]), None),
    ("set_contains", ("s", ["e", "g"]), [True, False]),
    ("set_contains_element", ("s", "g"), False),
    ("set_contains_element", ("none", "g"), None),
    ("set_contains_elements", ("s", ["e"]), [True]),
    ("set_length", ("s",), 1),
    ("set_pop", ("s",), [b"e"]),
    ("list_push_front", ("l", "b"), 2),
    ("list_push_back", ("l", "b"), 2),
    ("list_concatenate_front", ("l", ["b", "c"]), 3),
    ("list_concatenate_back", ("l", ["b", "c"]), 3),
    ("list_pop_front", ("l",), ValueAndLength(b"a", 0)),
    ("list_pop_back", ("l",), ValueAndLength(b"a", 0)),
    ("list_pop_back", ("none",), None),
    ("list_fetch", ("l",), [b"a"]),
    ("list_retain", ("l",), 1),
    ("list_remove", ("l", "b"), 1),
    ("list_erase", ("l", [(0, 1)]), 0),
    ("list_length", ("l",), 1),
    ("sorted_set_put", ("z", {"bo": 2}), None),
    ("sorted_set_put_element", ("z", "bo", 2), None),
    ("sorted_set_put_elements", ("z", [("bo", 2)]), None),
    ("sorted_set_fetch_by_rank", ("z",), [ANN]),
    ("sorted_set_fetch_by_score", ("z",), [ANN]),
    ("sorted_set_fetch_by_score", ("none",), None),
    ("sorted_set_get_score", ("z", ["ann", "bo"]), [1.5, None]),
    ("sorted_set_get_element_score", ("z", "ann"), 1.5),
    ("sorted_set_get_element_score", ("z", "bo"), None),
    ("sorted_set_get_rank", ("z", "ann"), 0),
    ("sorted_set_increment", ("z", "ann", 2.5), 4.0),
    ("sorted_set_remove", ("z", ["ann"]), None),
    ("sorted_set_remove_element", ("z", "ann"), None),
    ("sorted_set_remove_elements", ("z", ["ann"]), None),
    ("sorted_set_length", ("z",), 1),
    ("sorted_set_length_by_score", ("z",), 1),
    ("sorted_set_union_store", ("u", ["z"]), 1),
]

# Calls that other tests cover.
OTHERS = {
    *("get_or_set", "get_or_set_with_context", "get_or_set_batch", "scan_keys", "subscribe", "try_get_near", "typed"),
    "with_timeout",
    *("set_if_present_and_not_hash_equal", "set_if_absent_or_not_hash_equal", "set_with_hash"),
}


@pytest.mark.parametrize(("name", "arguments", "returned"), RETURNED, ids=lambda each: f"{each!r:.20}")
async def test_cache_call_returns_a_plain_value(name: str, arguments: tuple[Any, ...], returned: Any) -> None:
    cache: Any = FakeServer().client().cache("cache")
    for call, given in GIVEN:
        await getattr(cache, call)(*given)
    assert await getattr(cache, name)(*arguments) == returned


@pytest.mark.parametrize("name", sorted({name for name, _, _ in RETURNED}))
async def test_cache_call_raises_on_failure(name: str) -> None:
    fake = FakeServer()
    cache: Any = fake.client().cache("cache")
    fake.fail(ErrorCode.PERMISSION_DENIED, times=None, cause="because")
    arguments = next(given for call, given, _ in RETURNED if call == name)
    with pytest.raises(CacheError) as raised:
        await getattr(cache, name)(*arguments)
    assert raised.value.code is ErrorCode.PERMISSION_DENIED and raised.value.cause == "because"


def test_every_cache_call_has_a_test_case() -> None:
    calls = {name for name, _ in inspect.getmembers(Cache, inspect.isfunction) if not name.startswith("_")}
    assert calls == {name for name, _, _ in RETURNED} | OTHERS


async def test_conditional_set_returns_hash_only_if_it_stores_the_value() -> None:
    cache = FakeServer().client().cache("cache")
    first = await cache.set_with_hash("k", "one")
    found = await cache.get_with_hash("k")
    assert found == ValueAndHash(b"one", first)
    second = await cache.set_if_present_and_hash_equal("k", "two", first)
    assert second is not None and second != first
    assert await cache.set_if_present_and_not_hash_equal("k", "three", second) is None
    assert await cache.set_if_absent_or_not_hash_equal("k", "one", second) is None
    assert await cache.set_if_absent_or_hash_equal("k", "one", second) == first


async def test_scan_keys_returns_a_page() -> None:
    cache = FakeServer().client().cache("cache")
    await cache.set("k", "v")
    page = await cache.scan_keys()
    assert [each.key for each in page.keys] == [b"k"] and page.cursor == b""


async def test_get_or_set_batch_returns_a_mapping_of_all_keys() -> None:
    cache = FakeServer().client().cache("cache")
    await cache.set("a", "1")

    async def load(keys: list[str]) -> list[str]:
        return [key * 2 for key in keys]

    assert await cache.get_or_set_batch(["a", "b", "a"], load) == {"a": b"1", "b": b"bb"}
    assert await cache.results.get_or_set_batch(["a", "b", "a"], load) == [b"1", b"bb", b"1"]


async def test_typed_cache_distinguishes_stored_none_from_a_miss() -> None:
    fake = FakeServer()
    cache = fake.client().cache("cache")
    users = cache.typed(JsonCodec())
    missing = object()
    await users.set("none", None)
    await users.set_batch({"ada": {"age": 36}, "bo": None})
    assert await users.get("none") is None and await users.get("absent") is None
    assert await users.get("none", missing) is None and await users.get("absent", missing) is missing
    assert await users.get_batch(["ada", "absent", "bo"]) == {"ada": {"age": 36}, "bo": None}

    async def load() -> Any:
        return ["loaded"]

    async def load_all(keys: list[str]) -> list[Any]:
        return [[key] for key in keys]

    assert await users.get_or_set("new", load) == ["loaded"] == await users.get("new")
    assert await users.get_or_set_batch(["bo", "cy"], load_all) == {"bo": None, "cy": ["cy"]}
    assert users.name == users.results.name == "cache"
    await cache.set("text", "not of a typed cache")
    for call in (users.get("text"), users.get_batch(["ada", "text"]), users.with_timeout(5).get("text")):
        with pytest.raises(CacheError, match="DecodingFailed"):
            await call
    fake.fail(ErrorCode.UNAVAILABLE, times=None)
    for call in (users.get("ada"), users.set("ada", 1), users.get_batch(["ada"]), users.set_batch({"ada": 1})):
        with pytest.raises(CacheError, match="Unavailable"):
            await call


def test_blocking_typed_cache_returns_objects() -> None:
    with FakeServer().sync_client() as client:
        users: sync.TypedCache[Any] = client.cache("cache").typed(JsonCodec())
        users.set("none", None)
        assert users.get("none", 7) is None and users.get("absent", 7) == 7
        assert users.get_or_set_batch(["none", "b"], lambda keys: [*keys]) == {"none": None, "b": "b"}
        assert users.with_timeout(5).get_batch(["b", "c"]) == {"b": "b"} and users.name == "cache"
