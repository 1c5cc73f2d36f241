"""The messages of protocol/proto for google.protobuf, which the client's tests and agent use.

The modules contain serialized descriptors, as protoc writes them, so that no compiler is needed. They use a separate
descriptor pool (_pool.py), so that another client of the same public protocol can be imported in the same process.
python_own_messages.py writes the client's own messages.
"""

from __future__ import annotations

from pathlib import Path

import page
import proto
from proto import Contract, Field, File, Message, Rpc
from shapes import Table

_FOLDER = "protobuf_messages"
# The values of FieldDescriptorProto.Type.
_TYPES = {
    "double": 1,
    "float": 2,
    "int64": 3,
    "uint64": 4,
    "bool": 8,
    "string": 9,
    "bytes": 12,
    "uint32": 13,
    "sint32": 17,
}
_MESSAGE, _ENUM = 11, 14
_PYTHON = {
    "double": "float",
    "float": "float",
    "int64": "int",
    "uint64": "int",
    "uint32": "int",
    "sint32": "int",
    "bool": "bool",
    "string": "str",
    "bytes": "bytes",
}


def outputs(table: Table, root: Path) -> dict[str, str]:
    contract = proto.read(root / "protocol" / "proto")
    files: dict[str, str] = {}
    for file in contract.files:
        stem = f"clients/python/{_FOLDER}/{file.name.removesuffix('.proto')}_pb2"
        files |= {f"{stem}.py": _module(contract, file), f"{stem}.pyi": _types(contract, file)}
    return files


def _module(contract: Contract, file: File) -> str:
    name = f"{_FOLDER}/{file.name}"
    module = name.removesuffix(".proto").replace("/", ".") + "_pb2"
    imports = "".join(
        f"from {_FOLDER} import {each.removesuffix('.proto')}_pb2  # noqa: F401\n" for each in file.imports
    )
    data = _Descriptor(contract, file).encoded()
    lines = [repr(data[start : start + 32]) for start in range(0, len(data), 32)]
    text = "".join(f"    {line}\n" for line in lines)
    return f'''# {page.WRITTEN}
"""The messages of protocol/proto/{file.name}."""

from google.protobuf.internal import builder as _builder

from {_FOLDER} import _pool
{imports}
# fmt: off
DESCRIPTOR = _pool.POOL.AddSerializedFile(
{text})
# fmt: on
_builder.BuildMessageAndEnumDescriptors(DESCRIPTOR, globals())
_builder.BuildTopDescriptorsAndMessages(DESCRIPTOR, "{module}", globals())
'''


class _Descriptor:
    """Encodes a FileDescriptorProto. The field numbers are defined in descriptor.proto."""

    def __init__(self, contract: Contract, file: File) -> None:
        self.contract, self.file = contract, file
        self.packages = {message.name: each.package for each in contract.files for message in each.messages}
        self.enums = {name: each.package for each in contract.files for name in each.enums}

    def encoded(self) -> bytes:
        file = self.file
        parts = [_text(1, f"{_FOLDER}/{file.name}"), _text(2, file.package)]
        parts += [_text(3, f"{_FOLDER}/{each}") for each in file.imports]
        parts += [_bytes(4, self.message(each, f".{file.package}")) for each in file.messages]
        parts += [_bytes(5, _enum(name, values)) for name, values in file.enums.items()]
        parts += [_bytes(6, self.service(name, rpcs)) for name, rpcs in file.rpcs.items()]
        return b"".join([*parts, _bytes(8, _text(37, file.csharp_namespace)), _text(12, "proto3")])

    def message(self, message: Message, scope: str) -> bytes:
        scope = f"{scope}.{message.name}"
        oneofs = list(dict.fromkeys(each.oneof for each in message.fields if each.oneof))
        parts = [_text(1, message.name)]
        parts += [_bytes(2, self.field(each, message, scope, oneofs)) for each in message.fields]
        parts += [_bytes(3, self.message(each, scope)) for each in message.nested.values()]
        parts += [_bytes(4, _enum(name, values)) for name, values in message.enums.items()]
        return b"".join([*parts, *(_bytes(8, _text(1, each)) for each in oneofs)])

    def field(self, field: Field, message: Message, scope: str, oneofs: list[str]) -> bytes:
        parts = [_text(1, field.name), _number(3, field.number), _number(4, 3 if field.repeated else 1)]
        if field.kind in _TYPES:
            parts.append(_number(5, _TYPES[field.kind]))
        else:
            name, kind = self.named(field.kind, message, scope)
            parts += [_number(5, kind), _text(6, name)]
        return b"".join([*parts, _number(9, oneofs.index(field.oneof)) if field.oneof else b""])

    def named(self, kind: str, message: Message, scope: str) -> tuple[str, int]:
        """Return a type's full name, resolved from the message outwards, and whether it is a message or an enum."""
        while scope.count(".") > self.file.package.count(".") + 1:
            owner = self.owner(scope)
            if kind in owner.nested or kind in owner.enums:
                return f"{scope}.{kind}", _MESSAGE if kind in owner.nested else _ENUM
            scope = scope.rpartition(".")[0]
        if kind in self.packages:
            return f".{self.packages[kind]}.{kind}", _MESSAGE
        return f".{self.enums[kind]}.{kind}", _ENUM

    def owner(self, scope: str) -> Message:
        first, *rest = scope.removeprefix(f".{self.file.package}.").split(".")
        found = self.contract.messages[first]
        for name in rest:
            found = found.nested[name]
        return found

    def service(self, name: str, rpcs: list[Rpc]) -> bytes:
        return b"".join([_text(1, name), *(_bytes(2, self.rpc(each)) for each in rpcs)])

    def rpc(self, rpc: Rpc) -> bytes:
        asks, answers = (f".{self.packages[each]}.{each}" for each in (rpc.request, rpc.response))
        streams = _number(5, int(rpc.streams_in)) + _number(6, int(rpc.streams))
        return _text(1, rpc.name) + _text(2, asks) + _text(3, answers) + streams


def _varint(number: int) -> bytes:
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*out, number])


def _bytes(field: int, data: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(data)) + data


def _text(field: int, text: str) -> bytes:
    return _bytes(field, text.encode())


def _number(field: int, number: int) -> bytes:
    # Field 9 is the index of a oneof. Write it even if it is 0.
    return _varint(field << 3) + _varint(number) if number or field == 9 else b""


def _enum(name: str, values: dict[str, int]) -> bytes:
    told = (_text(1, value) + _varint(2 << 3) + _varint(number) for value, number in values.items())
    return _text(1, name) + b"".join(_bytes(2, each) for each in told)


def _types(contract: Contract, file: File) -> str:
    imports = "".join(f"from {_FOLDER} import {each.removesuffix('.proto')}_pb2\n" for each in file.imports)
    values = "".join(_enum_type(name, values, name) for name, values in file.enums.items())
    classes = "\n".join(_class(contract, file, each, each.name, "") for each in file.messages)
    return f"""# {page.WRITTEN}
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from google.protobuf import descriptor, message
from google.protobuf.internal import containers, enum_type_wrapper
{imports}
DESCRIPTOR: descriptor.FileDescriptor

{values}{classes}"""


def _enum_type(name: str, values: dict[str, int], path: str, space: str = "") -> str:
    text = f"{space}class {name}(int, metaclass=enum_type_wrapper.EnumTypeWrapper): ...\n\n"
    return text + "".join(f"{space}{value}: {path}\n" for value in values) + "\n"


def _class(contract: Contract, file: File, message: Message, path: str, space: str) -> str:
    inner = space + "    "
    text = f"{space}class {message.name}(message.Message):\n"
    text += "".join(_enum_type(name, values, f"{path}.{name}", inner) for name, values in message.enums.items())
    text += "".join(
        _class(contract, file, each, f"{path}.{each.name}", inner) + "\n" for each in message.nested.values()
    )
    text += "".join(f"{inner}{each.name.upper()}_FIELD_NUMBER: ClassVar[int]\n" for each in message.fields)
    told = [(each, *_field_types(file, contract, message, path, each)) for each in message.fields]
    text += "".join(f"{inner}{each.name}: {kind}\n" for each, kind, _ in told)
    if not told:
        return f"{text}{inner}def __init__(self) -> None: ...\n"
    given = "".join(f"{inner}    {each.name}: {kind} | None = ...,\n" for each, _, kind in told)
    return f"{text}{inner}def __init__(\n{inner}    self,\n{given}{inner}) -> None: ...\n"


def _field_types(file: File, contract: Contract, message: Message, path: str, field: Field) -> tuple[str, str]:
    """Return the types of a field for reading and for assignment."""
    if field.kind in _PYTHON:
        one = given = _PYTHON[field.kind]
        many = f"containers.RepeatedScalarFieldContainer[{one}]"
    else:
        one, is_enum = _type_name(file, contract, path, field.kind)
        given = f"{one} | str" if is_enum else f"{one} | Mapping[str, Any]"
        many = f"containers.RepeatedCompositeFieldContainer[{one}]"
    return (many, f"Iterable[{given}]") if field.repeated else (one, given)


def _type_name(file: File, contract: Contract, path: str, kind: str) -> tuple[str, bool]:
    while path:
        first, *rest = path.split(".")
        owner = contract.messages[first]
        for name in rest:
            owner = owner.nested[name]
        if kind in owner.nested or kind in owner.enums:
            return f"{path}.{kind}", kind in owner.enums
        path = path.rpartition(".")[0]
    for each in contract.files:
        if kind in each.enums or any(message.name == kind for message in each.messages):
            module = "" if each is file else f"{each.name.removesuffix('.proto')}_pb2."
            return f"{module}{kind}", kind in each.enums
    raise ValueError(f"{file.name}: unknown type {kind}")
