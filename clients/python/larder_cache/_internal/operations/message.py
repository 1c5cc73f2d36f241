"""Protobuf messages in pure Python. The modules in `_generated/messages` declare them with `field`.

Names are those of protobuf's runtime. Differences:

- A message cannot be changed after its creation.
- Unknown fields are skipped and not kept.
- A known field with another wire type is rejected. Groups are also rejected.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any, ClassVar, NoReturn, Self, dataclass_transform

from larder_cache._internal.operations.pipeline_codec import Malformed, length_prefix, read_varint, varint

_VARINT, _FIXED_64, _LENGTH, _FIXED_32 = 0, 1, 2, 5
_32_BITS, _64_BITS = 2**32 - 1, 2**64 - 1
# The largest tag: field numbers have 29 bits, and the wire type has 3 bits.
_MOST_TAG = 2**32 - 1
_new = object.__new__


def _sign_32(number: int) -> int:
    number &= _32_BITS
    return number - 2**32 if number >= 2**31 else number


def _sign_64(number: int) -> int:
    return number - 2**64 if number >= 2**63 else number


def _from_zigzag(number: int) -> int:
    number &= _32_BITS
    return number >> 1 ^ -(number & 1)


def _to_zigzag(number: int) -> int:
    return (number << 1 ^ number >> 31) & _32_BITS


class Kind:
    """A field type: its wire format, and the default of an unset field."""

    __slots__ = ("name", "wire", "default", "low", "high", "read", "write", "layout")

    def __init__(
        self,
        name: str,
        wire: int,
        default: Any,
        bounds: tuple[int, int] = (0, 0),
        read: Callable[[int], Any] | None = None,
        write: Callable[[Any], int] | None = None,
        layout: struct.Struct | None = None,
    ) -> None:
        """Define a field type.

        Args:
            name: The name of the type in proto files.
            wire: The wire type.
            default: The value of an unset field.
            bounds: The smallest and the largest value of an integer.
            read: Converts the encoded number to the value. None means no conversion.
            write: Converts the value to the number to encode. None means no conversion.
            layout: The layout of a fixed-size number.
        """
        self.name = name
        self.wire = wire
        self.default = default
        self.low, self.high = bounds
        self.read = read
        self.write = write
        # The layout of a fixed-size number. None for other types.
        self.layout = layout


_INT_32, _UINT_32, _INT_64 = ((-(2**31), 2**31 - 1), (0, _32_BITS), (-(2**63), 2**63 - 1))
_BYTES, _STRING, _MESSAGE = (Kind("bytes", _LENGTH, b""), Kind("string", _LENGTH, ""), Kind("message", _LENGTH, None))
_KINDS = {
    "bytes": _BYTES,
    "string": _STRING,
    "message": _MESSAGE,
    "bool": Kind("bool", _VARINT, False, (0, 1), bool, int),
    "enum": Kind("enum", _VARINT, 0, _INT_32, _sign_32, lambda number: number & _64_BITS),
    "uint32": Kind("uint32", _VARINT, 0, _UINT_32, lambda number: number & _32_BITS),
    "uint64": Kind("uint64", _VARINT, 0, (0, _64_BITS)),
    "int64": Kind("int64", _VARINT, 0, _INT_64, _sign_64, lambda number: number & _64_BITS),
    "sint32": Kind("sint32", _VARINT, 0, _INT_32, _from_zigzag, _to_zigzag),
    "double": Kind("double", _FIXED_64, 0.0, layout=struct.Struct("<d")),
    "float": Kind("float", _FIXED_32, 0.0, layout=struct.Struct("<f")),
}


class _Field:
    """The declaration of a field.

    An unset list or message field is read from this class attribute, which returns an empty list or message.
    """

    __slots__ = ("name", "kind", "number", "repeated", "oneof", "of", "type", "tag", "packed", "has_presence")

    def __init__(self, kind: str, number: int, repeated: bool, oneof: str, of: Callable[[], Message] | None) -> None:
        self.name = ""
        self.kind = _KINDS[kind]
        self.number = number
        self.repeated = repeated
        self.oneof = oneof
        # For a message field: a function that creates an empty message, and the class of that message, which is
        # determined on first use.
        self.of = of
        self.type: type[Message] | None = None
        self.tag = number << 3 | self.kind.wire
        # A list of numbers is encoded packed, but decoded in both forms.
        self.packed = repeated and self.kind.wire != _LENGTH
        self.has_presence = bool(oneof) or (of is not None and not repeated)

    def resolve(self) -> type[Message]:
        assert self.of is not None
        self.type = type(self.of())
        return self.type

    def __get__(self, message: Message | None, owner: type[Message]) -> Any:
        return [] if self.repeated or self.of is None else self.of()


def field(
    kind: str, number: int, *, repeated: bool = False, oneof: str = "", of: Callable[[], Message] | None = None
) -> Any:
    """Declare a field of a message. For a message field, `of` creates an empty message of the field's class."""
    return _Field(kind, number, repeated, oneof, of)


@dataclass_transform(kw_only_default=True, frozen_default=True)
class Message:
    """The base of all messages. The constructor takes the fields as keyword arguments."""

    _fields: ClassVar[tuple[_Field, ...]] = ()
    _by_tag: ClassVar[dict[int, _Field]] = {}
    _by_name: ClassVar[dict[str, _Field]] = {}
    _numbers: ClassVar[frozenset[int]] = frozenset()

    def __init_subclass__(cls) -> None:
        declared = [(name, each) for name, each in vars(cls).items() if isinstance(each, _Field)]
        cls._by_tag = {}
        for name, each in declared:
            each.name = name
            cls._by_tag[each.tag] = each
            if each.packed:
                cls._by_tag[each.number << 3 | _LENGTH] = each
            if not each.repeated and each.of is None:
                setattr(cls, name, each.kind.default)
        cls._by_name = dict(declared)
        cls._fields = tuple(sorted(cls._by_name.values(), key=lambda each: each.number))
        cls._numbers = frozenset(each.number for each in cls._fields)

    def __init__(self, **values: Any) -> None:
        held = self.__dict__
        for name, value in values.items():
            declared = self._by_name.get(name)
            if declared is None:
                raise TypeError(f"{type(self).__name__} has no field {name!r}")
            if declared.oneof:
                if declared.oneof in held:
                    raise ValueError(f"{type(self).__name__} cannot have both {held[declared.oneof]!r} and {name!r}")
                held[declared.oneof] = name
            held[name] = list(value) if declared.repeated else value

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is immutable; create a new one")

    @classmethod
    def FromString(cls, data: bytes) -> Self:  # noqa: N802 (protobuf's name)
        """Parse a message. Raises Malformed if the bytes are not a message of this type."""
        message = cls()
        try:
            message._read(data, 0, len(data))
        except IndexError:
            raise Malformed(f"{cls.__name__} is truncated") from None
        return message

    def SerializeToString(self) -> bytes:  # noqa: N802 (protobuf's name)
        """Encode the message. Raises TypeError, ValueError or struct.error if a value has the wrong type."""
        held, parts = self.__dict__, list[bytes]()
        for each in self._fields:
            if each.name in held:
                parts += _written(each, held[each.name])
        return b"".join(parts)

    def WhichOneof(self, oneof: str) -> str | None:  # noqa: N802 (protobuf's name)
        """Return the name of the field that is set in a oneof, or None if no field is set."""
        return self.__dict__.get(oneof)

    def _read(self, data: bytes, at: int, end: int) -> None:
        """Parse `data` from `at` to `end` into this message.

        Raises Malformed, or IndexError if `data` ends too early.
        """
        held, by_tag = self.__dict__, self._by_tag
        while at < end:
            tag = data[at]
            at += 1
            if tag > 0x7F:
                tag, at = read_varint(data, at - 1)
            declared = by_tag.get(tag)
            if declared is None:
                at = self._skip(tag, data, at)
                continue
            kind, name = declared.kind, declared.name
            wire = tag & 7
            if wire == _VARINT:
                value: Any = data[at]
                at += 1
                if value > 0x7F:
                    value, at = read_varint(data, at - 1)
                    value &= _64_BITS
                if kind.read is not None:
                    value = kind.read(value)
            elif wire == _LENGTH:
                size = data[at]
                at += 1
                if size > 0x7F:
                    size, at = read_varint(data, at - 1)
                first, at = at, at + size
                if at > end:
                    raise Malformed(f"{name} extends past the end of its message")
                if kind is _BYTES:
                    value = data[first:at]
                elif declared.of is not None:
                    # If a message field occurs twice, the occurrences are merged.
                    value = None if declared.repeated else held.get(name)
                    if value is None:
                        value = _new(declared.type or declared.resolve())
                    value._read(data, first, at)
                elif kind is _STRING:
                    value = _text(name, data[first:at])
                else:
                    held.setdefault(name, []).extend(_packed(kind, data, first, at))
                    continue
            else:
                if at + (8 if wire == _FIXED_64 else 4) > end:
                    raise Malformed(f"{name} extends past the end of its message")
                assert kind.layout is not None
                (value,) = kind.layout.unpack_from(data, at)
                at += kind.layout.size
            if declared.repeated:
                if name in held:
                    held[name].append(value)
                else:
                    held[name] = [value]
                continue
            if declared.oneof:
                former = held.get(declared.oneof)
                if former is not None and former != name:
                    del held[former]
                held[declared.oneof] = name
            held[name] = value
        if at != end:
            raise Malformed(f"{type(self).__name__} is truncated")

    def _skip(self, tag: int, data: bytes, at: int) -> int:
        """Return the position after an unknown field."""
        wire, number = tag & 7, tag >> 3
        if not number or tag > _MOST_TAG:
            raise Malformed(f"invalid field number {number}")
        if number in self._numbers:
            raise Malformed(f"field {number} of {type(self).__name__} has the wrong wire type {wire}")
        if wire == _VARINT:
            return read_varint(data, at)[1]
        if wire == _LENGTH:
            size, at = read_varint(data, at)
            return at + size
        if wire == _FIXED_64 or wire == _FIXED_32:
            return at + (8 if wire == _FIXED_64 else 4)
        raise Malformed(f"unknown wire type {wire}")


def _text(name: str, data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise Malformed(f"{name} is not valid UTF-8") from None


def _packed(kind: Kind, data: bytes, at: int, end: int) -> list[Any]:
    """Parse a packed list of numbers."""
    if kind.layout is not None:
        if (end - at) % kind.layout.size:
            raise Malformed("a packed list is truncated")
        return [value for (value,) in kind.layout.iter_unpack(data[at:end])]
    values: list[Any] = []
    while at < end:
        number, at = read_varint(data, at)
        number &= _64_BITS
        values.append(number if kind.read is None else kind.read(number))
    if at != end:
        raise Malformed("a packed list is truncated")
    return values


def _written(declared: _Field, value: Any) -> list[bytes]:
    """Return the encoded parts of a field. A list is encoded with all its elements."""
    tag = varint(declared.tag)
    if declared.packed:
        content = b"".join([_content(declared, each) for each in value])
        return [varint(declared.number << 3 | _LENGTH), length_prefix(len(content)), content] if value else []
    if declared.repeated:
        return [part for each in value for part in (tag, _content(declared, each))]
    content = _content(declared, value)
    return [tag, content] if declared.has_presence or any(content) else []


def _content(declared: _Field, value: Any) -> bytes:
    """Return the encoding of a value without the field's tag.

    All bytes of the result are 0 only if the value is the default.
    """
    kind = declared.kind
    if kind.layout is not None:
        return kind.layout.pack(value)
    if kind.wire == _VARINT:
        if not isinstance(value, int):
            raise TypeError(f"{declared.name} must be a number, not {type(value).__name__}")
        if not kind.low <= value <= kind.high:
            raise ValueError(f"{declared.name} must be from {kind.low:,} to {kind.high:,}, not {value:,}")
        return varint(value if kind.write is None else kind.write(value))
    content = (
        str.encode(value) if kind is _STRING else value.SerializeToString() if declared.of else bytes(memoryview(value))
    )
    return length_prefix(len(content)) + content
