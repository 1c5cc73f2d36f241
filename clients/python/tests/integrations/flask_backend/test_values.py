"""The storage formats of the Flask-Caching backend: round trips, and no execution of stored code."""

from __future__ import annotations

import datetime
import json
import math
import pickle
from collections import OrderedDict
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from larder_cache import sync
from tests.integrations.flask_backend.conftest import Made

pytest.importorskip("flask_caching")

TEXT = st.text(st.characters())
PLAIN = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXT | st.binary()
KEYS = st.booleans() | st.integers() | TEXT | st.tuples(st.integers(), TEXT) | st.binary()
VALUES: st.SearchStrategy[Any] = st.recursive(
    PLAIN,
    lambda inner: st.lists(inner)
    | st.lists(inner).map(tuple)
    | st.dictionaries(TEXT, inner)
    | st.dictionaries(KEYS, inner),
    max_leaves=12,
)


@given(VALUES)
def test_safe_values_serializer_round_trips_values_and_their_types(value: Any) -> None:
    from larder_cache._internal.integrations.flask_values import SafeValues

    again = SafeValues().loads("key", SafeValues().dumps(value))
    # The repr distinguishes 1 from True and 1.0, a tuple from a list, and bytes from text.
    assert repr(again) == repr(value) and again == value


@given(st.binary() | st.sampled_from(["j", "s", ""]).flatmap(lambda kind: TEXT.map(lambda rest: kind + rest)))
def test_safe_values_serializer_decodes_or_rejects_arbitrary_bytes(data: bytes | str) -> None:
    from larder_cache._internal.integrations.flask_values import ForeignValue, SafeValues

    try:
        SafeValues().loads("key", data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data)
    except ForeignValue:
        pass


def _response(*said: Any) -> bytes:
    return b"j" + json.dumps({"r": said}).encode()


@pytest.mark.parametrize(
    "data",
    [
        *(b"", b"-", b"9" * 21, b"1.5", b"x", b"p" + pickle.dumps([1]), pickle.dumps([1]), b"!" + pickle.dumps([1])),
        *(b"s\xff", b"j", b"j{", b"j{}", b'j{"x":1}', b'j{"t":[],"b":""}', b'j{"t":1}', b'j{"d":[]}', b'j{"p":[[1]]}'),
        *(b'j{"p":[[[],1]]}', b'j{"p":1}', b'j{"b":"="}', b'j{"b":1}', b'j{"m":["<"]}', b'j{"r":1}', b'j{"r":[1,2]}'),
        *(b"j" + b"[" * 100_000, b"j" + b"9" * 5_000, b"j" + b'{"t":[' * 900 + b"]}" * 900),
        *(_response("200 OK", [["A", "b\r\nC: d"]], ""), _response("200 OK\r\nC: d", [], ""), _response("", [], "")),
        *(_response(200, [], ""), _response("200 OK", [["A"]], ""), _response("200 OK", {"A": "b"}, "")),
        *(_response("200 OK", [[1, 2]], ""), _response("200 OK", [], "no base64"), _response("200 OK", [], None)),
    ],
    ids=range(36),
)
def test_flask_value_of_another_format_is_rejected(cache: Any, client: sync.CacheClient, data: bytes) -> None:
    from larder_cache.flask_caching import ForeignValue

    client.cache("cache").results.set("flask_cache_key", data)
    with pytest.raises(ForeignValue, match="'key' has an unknown format"):
        cache.get("key")
    with pytest.raises(ForeignValue):
        cache.get_many("key")


@pytest.mark.parametrize("said", ["nan", "inf", "-inf"])
def test_infinite_and_nan_numbers_round_trip(cache: Any, said: str) -> None:
    cache.set("number", float(said))
    assert repr(cache.get("number")) == said and not math.isfinite(cache.get("number"))


def _self_referencing_list() -> list[Any]:
    value: list[Any] = []
    value.append(value)
    return value


class UpperStr(str):
    """An instance of a subclass of str."""


@pytest.mark.parametrize(
    "value",
    [
        object(),
        {1},
        datetime.date(2026, 1, 1),
        OrderedDict[str, int](),
        UpperStr("a"),
        [UpperStr("a")],
        _self_referencing_list(),
    ],
    ids=["object", "set", "date", "OrderedDict", "text", "text in a list", "itself"],
)
def test_flask_value_that_would_change_type_is_rejected(cache: Any, value: Any) -> None:
    cache.set("key", "before")
    with pytest.raises((TypeError, ValueError), match="cannot be cached"):
        cache.set("key", value)
    assert cache.get("key") == "before"


def test_markup_and_responses_round_trip(cache: Any) -> None:
    from flask import Response
    from markupsafe import Markup

    cache.set("markup", Markup("<b>"))
    assert cache.get("markup") == "<b>" and type(cache.get("markup")) is Markup
    response = Response(b"\x00\xff", 404, [("Set-Cookie", "a=1"), ("Set-Cookie", "b=2")], content_type="x/y")
    bare = Response(status="299 Of Its Own")
    del bare.headers["Content-Type"]
    cache.set("pages", (response, {"X": "y"}, [bare]))
    again, fields, [other] = cache.get("pages")
    assert (again.get_data(), again.status, list(again.headers)) == (
        b"\x00\xff",
        "404 NOT FOUND",
        list(response.headers),
    )
    assert (fields, other.status, list(other.headers)) == ({"X": "y"}, "299 Of Its Own", list(bare.headers))


def test_streamed_response_is_not_cached(cache: Any) -> None:
    from flask import Response

    sent = Response(iter(["a", "b"]))
    with pytest.raises(TypeError, match="streamed"):
        cache.set("stream", sent)
    assert sent.get_data() == b"ab", "nothing of it was taken"


class Own:
    """A serializer that the application defines."""

    def dumps(self, value: Any) -> bytes:
        return b"own " + json.dumps(value).encode()

    def loads(self, data: bytes) -> Any:
        return json.loads(data.removeprefix(b"own "))


@pytest.mark.parametrize("serializer", [Own, Own()], ids=["a class", "an object"])
def test_custom_serializer_is_used_for_every_value(caches: Made, client: sync.CacheClient, serializer: Any) -> None:
    cache = caches(OPTIONS={"serializer": serializer})
    cache.set("key", [1])
    assert cache.get("key") == [1]
    assert client.cache("cache").get("flask_cache_key") == b"own [1]"
    assert (cache.cache.inc("count"), cache.cache.inc("count", 2), cache.cache.dec("count")) == (1, 3, 2)


@pytest.mark.parametrize("elements, depth", [(1_000_001, 1), (2_000_000, 1), (514, 513), (5_121, 5_120)])
def test_stored_json_over_the_limits_is_rejected_when_read(elements: int, depth: int) -> None:
    from larder_cache._internal.integrations.flask_values import ForeignValue, SafeValues

    rest = b",".join([b"[]"] * (elements - depth))
    with pytest.raises(ForeignValue):
        SafeValues().loads("key", b"j" + b"[" * depth + rest + b"]" * depth)


def test_flask_value_over_the_limits_is_rejected_when_stored() -> None:
    from larder_cache._internal.integrations.flask_values import SafeValues

    numbers = [0] * 999_999
    assert SafeValues().loads("key", SafeValues().dumps(numbers)) == numbers
    with pytest.raises(TypeError, match="1,000,000 elements"):
        SafeValues().dumps([*numbers, 0])
