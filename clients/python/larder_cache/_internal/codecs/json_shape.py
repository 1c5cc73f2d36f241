"""Strict conversion between the values of one type and JSON."""

from __future__ import annotations

import dataclasses
import types
import typing
from typing import Any, Protocol, Union, cast

_NONE = type(None)


class MismatchError(Exception):
    """The JSON does not match the type. The message contains names of fields and types but no values."""


class Shape(Protocol):
    """Converts the values of one type to JSON values and back."""

    def write(self, value: Any) -> Any:
        """Convert a value to a JSON value for json.dumps. Raises TypeError if the value does not have the type."""
        ...

    def read(self, said: Any) -> Any:
        """Convert a JSON value to the type. Raises MismatchError if the JSON value does not match the type."""
        ...


def shape_of(type_: Any) -> Shape:
    """Return the converter for a type. Raises TypeError if JSON cannot represent the type."""
    return _shape(type_, {})


def _shape(type_: Any, known: dict[Any, Shape]) -> Shape:
    if type_ in (Any, object):
        return _ANY
    if type_ in _LEAVES:
        return _LEAVES[type_]
    origin, arguments = typing.get_origin(type_), typing.get_args(type_)
    if origin is list and len(arguments) == 1:
        return _List(_shape(arguments[0], known))
    if origin is dict and arguments[:1] == (str,):
        return _Dict(_shape(arguments[1], known))
    if origin in (Union, types.UnionType) and _NONE in arguments and len(arguments) == 2:
        return _Optional(_shape(next(each for each in arguments if each is not _NONE), known))
    if isinstance(type_, type) and dataclasses.is_dataclass(type_):
        class_ = cast(type, type_)
        return known[class_] if class_ in known else _Dataclass(class_, known)
    name: Any = getattr(cast(Any, type_), "__name__", cast(Any, type_))
    raise TypeError(
        f"{name!s:.80} is not supported by JsonCodec; use dataclasses, str, int, float, bool, list[…],"
        " dict[str, …], Optional[…] or Any"
    )


class _Any:
    def write(self, value: Any) -> Any:
        return value

    def read(self, said: Any) -> Any:
        return said


class _Leaf:
    """A plain JSON value of one Python type.

    `others` contains further accepted types. A bool does not count as an int: bool is a subclass of int in Python, but
    JSON distinguishes them.
    """

    def __init__(self, type_: type, *others: type) -> None:
        self._type = type_
        self._types = (type_, *others)

    def write(self, value: Any) -> Any:
        if value.__class__ not in self._types:
            raise TypeError(f"the value must be {self._type.__name__}, not {type(value).__name__}")
        return value

    def read(self, said: Any) -> Any:
        if said.__class__ not in self._types:
            raise MismatchError(f"expected {self._type.__name__}, got {type(said).__name__}")
        try:
            return said if said.__class__ is self._type else self._type(said)
        except OverflowError:
            raise MismatchError("a number is too large for a float") from None


class _List:
    def __init__(self, item: Shape) -> None:
        self._item = item

    def write(self, value: Any) -> Any:
        if not isinstance(value, list):
            raise TypeError(f"the value must be a list, not {type(value).__name__}")
        return [self._item.write(each) for each in cast(list[Any], value)]

    def read(self, said: Any) -> Any:
        if not isinstance(said, list):
            raise MismatchError(f"expected a list, got {type(said).__name__}")
        return [self._item.read(each) for each in cast(list[Any], said)]


class _Dict:
    def __init__(self, item: Shape) -> None:
        self._item = item

    def write(self, value: Any) -> Any:
        if not isinstance(value, dict):
            raise TypeError(f"the value must be a dict, not {type(value).__name__}")
        return {key: self._item.write(each) for key, each in cast(dict[Any, Any], value).items()}

    def read(self, said: Any) -> Any:
        if not isinstance(said, dict):
            raise MismatchError(f"expected an object, got {type(said).__name__}")
        return {key: self._item.read(each) for key, each in cast(dict[str, Any], said).items()}


class _Optional:
    def __init__(self, inner: Shape) -> None:
        self._inner = inner

    def write(self, value: Any) -> Any:
        return None if value is None else self._inner.write(value)

    def read(self, said: Any) -> Any:
        return None if said is None else self._inner.read(said)


class _Dataclass:
    """A dataclass, stored as a JSON object of its fields. Fields that `__init__` does not accept are not stored.

    Writing an instance of a subclass raises TypeError.
    """

    def __init__(self, type_: type, known: dict[Any, Shape]) -> None:
        self._type = type_
        # Register the class before its fields are visited, because a field may have this class as its type.
        known[type_] = self
        try:
            hints = typing.get_type_hints(type_)
        except Exception as error:
            raise TypeError(f"the field types of {type_.__name__} cannot be resolved: {error}") from None
        fields = [field for field in dataclasses.fields(cast(Any, type_)) if field.init]
        self._fields = {field.name: _shape(hints[field.name], known) for field in fields}
        absent = dataclasses.MISSING
        needed = (each for each in fields if each.default is absent and each.default_factory is absent)
        self._needed = frozenset(each.name for each in needed)

    def write(self, value: Any) -> Any:
        if value.__class__ is not self._type:
            raise TypeError(f"the value must be {self._type.__name__}, not {type(value).__name__}")
        return {name: shape.write(getattr(value, name)) for name, shape in self._fields.items()}

    def read(self, said: Any) -> Any:
        name = self._type.__name__
        if not isinstance(said, dict):
            raise MismatchError(f"expected an object for {name}, got {type(said).__name__}")
        given = cast(dict[str, Any], said)
        if not given.keys() <= self._fields.keys():
            raise MismatchError(f"the object for {name} has an unknown field")
        if missing := self._needed - given.keys():
            raise MismatchError(f"field {min(missing)} of {name} is missing")
        read = {field: self._fields[field].read(each) for field, each in given.items()}
        try:
            return self._type(**read)
        except Exception as error:
            # The class rejected the values, for example in `__post_init__`.
            raise MismatchError(f"the constructor of {name} raised {type(error).__name__}") from None


_ANY = _Any()
_LEAVES: dict[Any, Shape] = {
    str: _Leaf(str),
    int: _Leaf(int),
    # An int is accepted for a float field.
    float: _Leaf(float, int),
    bool: _Leaf(bool),
    _NONE: _Leaf(_NONE),
}
