"""Code of the .NET client that measures and writes a request's fields."""

from __future__ import annotations

import dotnet
import names
from shapes import COLLECTION_TTLS, Argument, Body

INDENT = " " * 8


def measure(argument: Argument, number: int | str = 0) -> str:
    """Return the expression for a field's length; `number` replaces the argument's own field number."""
    number = number or argument.number
    parameter, name = argument.parameter, dotnet.argument_name(argument.parameter)
    if parameter.repeated or parameter.kind in ("bytes", "string"):
        return f"Field.Measure({number}, {name})"
    if parameter.choices or parameter.kind in ("int64", "uint64", "uint32"):
        return f"ProtoWriter.VarintFieldLength({number}, (ulong){name})"
    if parameter.kind in COLLECTION_TTLS:
        return f"Field.MeasureTtl({number}, {name})"
    match parameter.kind:
        case "ttl" | "new_ttl":
            return f"ProtoWriter.VarintFieldLength({number}, {name})"
        case "sint32":
            return f"Field.MeasureSigned({number}, {name})"
        case "double":
            return f"ProtoWriter.DoubleFieldLength({number})"
        case "bool":
            return f"({name} ? ProtoWriter.VarintFieldLength({number}, 1) : 0)"
        case "index":
            return f"Field.MeasureIndex({number}, {name})"
        case "score_bound":
            return f"Field.{'MeasureScore' if argument.exclusive else 'MeasureBound'}({number}, {name})"
    raise ValueError(
        f'{parameter.name}: cannot generate .NET code that encodes a {parameter.kind}; set "codec" in the column "hand"'
    )


def write(argument: Argument, number: int | str = 0) -> str:
    """Return the statement that writes a field; a block ends with an empty line."""
    number = number or argument.number
    parameter, name = argument.parameter, dotnet.argument_name(argument.parameter)
    if parameter.repeated or parameter.kind in ("bytes", "string"):
        return f"{INDENT}Field.Write(ref writer, {number}, {name});\n"
    if parameter.choices or parameter.kind in ("int64", "uint64", "uint32"):
        return f"{INDENT}writer.WriteVarintField({number}, (ulong){name});\n"
    if parameter.kind in COLLECTION_TTLS:
        return f"{INDENT}Field.WriteTtl(ref writer, {number}, {argument.refresh}, {name});\n"
    match parameter.kind:
        case "bool":
            return f"{INDENT}if ({name})\n{INDENT}{{\n{INDENT}    writer.WriteVarintField({number}, 1);\n{INDENT}}}\n\n"
        case "sint32":
            return f"{INDENT}Field.WriteSigned(ref writer, {number}, {name});\n"
        case "double":
            return f"{INDENT}writer.WriteDoubleField({number}, {name});\n"
        case "index":
            return f"{INDENT}Field.WriteIndex(ref writer, {number}, {argument.unbounded}, {name});\n"
        case "score_bound" if argument.exclusive:
            numbers = f"{number}, {argument.exclusive}, {argument.unbounded}"
            return f"{INDENT}Field.WriteScore(ref writer, {numbers}, {name});\n"
        case "score_bound":
            return f"{INDENT}Field.WriteBound(ref writer, {number}, {argument.unbounded}, {name});\n"
    return f"{INDENT}writer.WriteVarintField({number}, {name});\n"


def measured_body(body: Body) -> str:
    """Return the expression for the length of the nested messages of a form's arm."""
    length = body_length(body)
    for number in reversed(body.path):
        length = f"ProtoWriter.BytesFieldLength({number}, {length})"
    return length


def written_body(body: Body) -> str:
    if not body.arguments:
        return "".join(f"{INDENT}writer.WriteLengthPrefix({number}, 0);\n" for number in body.path)
    first, *inner = body.path
    text = f"{INDENT}int length = {body_length(body)};\n"
    outer = "length" if not inner else f"ProtoWriter.BytesFieldLength({inner[0]}, length)"
    for number in [first, *inner]:
        text += f"{INDENT}writer.WriteLengthPrefix({number}, {outer if number == first else 'length'});\n"
    return text + "".join(map(write, body.arguments))


def body_length(body: Body) -> str:
    """Return the expression for the length of the innermost message."""
    return f"{names.pascal(body.name)}Length" if body.arguments else "0"
