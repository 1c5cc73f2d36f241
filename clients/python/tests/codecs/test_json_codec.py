"""JSON values of one type are encoded from the fields of the type and decoded strictly."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, List, Optional

import pytest

from larder_cache.codecs import DecodingError, JsonCodec


@dataclass(frozen=True, slots=True)
class Address:
    street: str
    number: int | None = None


@dataclass
class User:
    name: str
    admin: bool
    score: float
    addresses: list[Address] = field(default_factory=list[Address])
    by_kind: dict[str, Address] = field(default_factory=dict[str, Address])
    boss: Optional[User] = None
    notes: Any = None
    tags: List[str] = field(default_factory=list[str])
    shown: str = field(init=False, default="")


USERS = JsonCodec(User)


def test_json_codec_round_trips_a_dataclass() -> None:
    boss = User("Grace", True, 9)
    user = User(
        "Ada", False, 1.5, [Address("High", 7), Address("Low")], {"home": Address("High")}, boss, [1, {"a": None}]
    )
    payload = USERS.encode(user)
    said = json.loads(payload)
    assert said["boss"]["name"] == "Grace" and said["addresses"][1] == {"street": "Low", "number": None}
    assert "shown" not in said
    read = USERS.decode(payload)
    assert read == user and isinstance(read, User) and isinstance(read.boss, User)
    assert type(read.boss.score) is float


def test_json_codec_decodes_missing_fields_as_their_defaults() -> None:
    assert USERS.decode(b'{"name":"Ada","admin":false,"score":1}') == User("Ada", False, 1.0)
    assert USERS.decode(b"null") is None


def _without(name: str) -> dict[str, Any]:
    whole = {"name": "Ada", "admin": False, "score": 1.5}
    return {key: value for key, value in whole.items() if key != name}


CHANGES: list[dict[str, Any]] = [
    *(
        {"name": 1},
        {"name": None},
        {"admin": 0},
        {"score": "1"},
        {"score": True},
        {"score": None},
        {"score": 10**400},
    ),
    *({"more": 1}, {"shown": "x"}, {"by_kind": []}, {"by_kind": {"a": None}}, {"boss": 1}, {"boss": {}}, {"tags": [1]}),
    *({"addresses": wrong} for wrong in (dict[str, int](), [1], None, [{"street": 1}], [{"street": "x", "more": 1}])),
    *({"addresses": [{"street": "x", "number": number}]} for number in (1.0, True, "1")),
]
MISFITS: list[Any] = [
    *(1, "Ada", True, [], [1], {}),
    *(_without(name) for name in ("name", "admin", "score")),
    *(_without("") | changed for changed in CHANGES),
]


@pytest.mark.parametrize("said", MISFITS, ids=str)
def test_json_that_does_not_match_the_type_raises_decoding_error(said: Any) -> None:
    with pytest.raises(DecodingError):
        USERS.decode(json.dumps(said).encode())


def test_encoding_a_value_of_another_type_raises_type_error() -> None:
    @dataclass
    class Other(User):
        pass

    other: Any
    for other in (Other("Ada", False, 1.0), {"name": "Ada"}, "Ada", Address("High")):
        with pytest.raises(TypeError):
            USERS.encode(other)
    broken: Any
    for broken in (
        User("Ada", False, 1.0, boss=Other("Ada", False, 1.0)),
        User("Ada", 1, 1.0),  # pyright: ignore[reportArgumentType]
        User("Ada", False, 1.0, notes=object()),
        User("Ada", False, 1.0, notes={1: 2}),
        User("Ada", False, float("nan")),
        User("Ada", False, 1.0, by_kind={7: Address("High")}),  # pyright: ignore[reportArgumentType]
        User("Ada", False, 1.0, addresses=(Address("High"),)),  # pyright: ignore[reportArgumentType]
    ):
        with pytest.raises(TypeError):
            USERS.encode(broken)
    circle = User("Ada", False, 1.0)
    circle.boss = circle
    with pytest.raises(TypeError):
        USERS.encode(circle)


def test_deeply_nested_dataclass_json_raises_decoding_error() -> None:
    payload = '{"name":"Ada","admin":false,"score":1,"boss":' * 3_000 + "null" + "}" * 3_000
    with pytest.raises(DecodingError):
        USERS.decode(payload.encode())


def test_json_codec_accepts_list_dict_and_scalar_types() -> None:
    assert JsonCodec(list[Address]).decode(b'[{"street":"High"}]') == [Address("High")]
    assert JsonCodec(dict[str, int]).decode(b'{"a":1}') == {"a": 1}
    with pytest.raises(DecodingError):
        JsonCodec(int).decode(b"1.0")


@dataclass
class Strange:
    pairs: tuple[int, int]


@dataclass
class Numbered:
    of: dict[int, str]


@dataclass
class Either:
    of: int | str


@dataclass
class Lost:
    of: Missing  # type: ignore # noqa: F821


@pytest.mark.parametrize(
    "type_", [Strange, Numbered, Either, Lost, set, bytes, list, dict, tuple, list[bytes], "User", 7]
)
def test_json_codec_rejects_unsupported_types_at_creation(type_: Any) -> None:
    with pytest.raises(TypeError):
        JsonCodec(type_)


@dataclass
class Checked:
    number: int

    def __post_init__(self) -> None:
        if self.number < 0:
            raise ValueError(f"secret {self.number}")


def test_decoding_error_omits_text_of_exception_raised_by_dataclass() -> None:
    with pytest.raises(DecodingError, match="Checked raised ValueError") as error:
        JsonCodec(Checked).decode(b'{"number":-7}')
    assert "secret" not in str(error.value) and error.value.__suppress_context__
