"""The .NET client's operations: what each request is made of, and how its answer is read."""

from __future__ import annotations

from pathlib import Path

import dotnet
import names
import page
from table import Arm, Case, Operation, Parameter, Table, Value

_FOLDER = f"{dotnet.CLIENT}/Operations"


def outputs(table: Table, root: Path) -> dict[str, str]:
    written = [each for each in table.operations if "codec" not in each.hand and not each.server_only]
    files = {f"{_FOLDER}/{each.name}Operation.cs": _operation(each) for each in written}
    return files | {f"{_FOLDER}/OperationTable.cs": _table(table)}


def _table(table: Table) -> str:
    rows = [(name, each) for each in table.operations for name in each.names]
    return f"""{dotnet.HEAD}namespace Larder.Client.Operations;

/// <summary>What every call of each operation has in common.</summary>
internal static class OperationTable
{{
    /// <summary>How many there are: one more than the last's <see cref="OperationInfo.Index"/>.</summary>
    public const int Count = {len(rows)};

{"".join(map(lambda row: _row(*row), enumerate(rows)))}}}
"""


def _row(index: int, row: tuple[str, Operation]) -> str:
    name, operation = row
    items = [str(index), f'"{name}"', f'"{operation.rpc.path}"', f"pipelineField: {operation.pipeline}"]
    items.append(f"isIdempotent: {str(operation.idempotent).lower()}")
    declared = f"public static OperationInfo {names.pascal(name)} {{ get; }} = new"
    return page.wrapped(declared, items, ";\n", 4, page.WIDTH["cs"])


def _operation(operation: Operation) -> str:
    type_name, response = f"{operation.name}Operation", f"{operation.name}Response"
    measured = [_measure(each.number, each.parameter) for each in operation.arguments] + _measured_arm(operation)
    key = next((each.parameter for each in operation.arguments if each.parameter.name == "key"), None)
    declared = f"internal sealed class {type_name}"
    interface = f" : IOperation<{type_name}, {response}>\n"
    head = page.wrapped(declared, _constructor(operation), interface, 0, page.WIDTH["cs"])
    if not _constructor(operation):
        head = head.replace("()", "", 1)
    return f"""{dotnet.HEAD}using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

{head}{{
    public static OperationInfo Info => OperationTable.{operation.name};

    public int KeyLength => {"key.Length" if key else "0"};
{_has_payload(operation)}
    public int Measure() => {_sum(measured)};

    public void Write(ref ProtoWriter writer)
    {{
{_written(operation)}    }}

{_decode(operation, response)}
    public static {response} Fail(CacheError error) => new {response}.Error(error);
}}
{_enum(operation)}"""


def _written(operation: Operation) -> str:
    """The body of Write; a block is followed by an empty line unless it is the last."""
    lines = [_write(each.number, each.parameter) for each in operation.arguments] + [_written_arm(operation)]
    text = "".join(lines)
    return text[:-1] if text.endswith("\n\n") else text


def _constructor(operation: Operation) -> list[str]:
    given = [_declared(each.parameter) for each in operation.arguments]
    if operation.arms:
        given.append(f"{dotnet.enum_name(operation)} {names.camel(operation.oneof)}")
    if operation.payload:
        optional = "" if all(arm.parameter for arm in operation.arms) else " = default"
        given.append(_declared(operation.payload) + optional)
    return given


def _declared(parameter: Parameter) -> str:
    return f"{dotnet.argument_type(parameter)} {dotnet.argument_name(parameter)}"


def _sum(terms: list[str]) -> str:
    line = " + ".join(terms) or "0"
    return line if len(line) < 120 else "\n        + ".join(terms)


def _measure(number: int | str, parameter: Parameter) -> str:
    name = dotnet.argument_name(parameter)
    if parameter.repeated and parameter.kind == "bytes":
        return f"Field.Measure({number}, {name})"
    if parameter.repeated:
        raise ValueError(f"{parameter.name}: a repeated {parameter.kind} is written by hand (column hand)")
    match parameter.kind:
        case "bytes" | "string":
            return f"Field.Measure({number}, {name})"
        case "int64":
            return f"ProtoWriter.VarintFieldLength({number}, (ulong){name})"
        case "uint64" | "uint32" | "ttl" | "new_ttl":
            return f"ProtoWriter.VarintFieldLength({number}, {name})"
        case "bool":
            return f"({name} ? ProtoWriter.VarintFieldLength({number}, 1) : 0)"
    raise ValueError(f"{parameter.name}: a {parameter.kind} is written by hand (column hand)")


def _write(number: int | str, parameter: Parameter) -> str:
    name, indent = dotnet.argument_name(parameter), " " * 8
    match parameter.kind:
        case "bytes" | "string":
            return f"{indent}Field.Write(ref writer, {number}, {name});\n"
        case "bool":
            return f"{indent}if ({name})\n{indent}{{\n{indent}    writer.WriteVarintField({number}, 1);\n{indent}}}\n\n"
        case "int64":
            return f"{indent}writer.WriteVarintField({number}, (ulong){name});\n"
    return f"{indent}writer.WriteVarintField({number}, {name});\n"


def _is_scalar(arm: Arm) -> bool:
    return arm.parameter is not None and arm.parameter.kind == "new_ttl"


def _has_payload(operation: Operation) -> str:
    """Where some arms carry something and some do not: which do."""
    empty = [f"{dotnet.enum_name(operation)}.{names.pascal(arm.name)}" for arm in operation.arms if not arm.parameter]
    if not operation.payload or not empty:
        return ""
    oneof = names.camel(operation.oneof)
    test = f"{oneof} != {empty[0]}" if len(empty) == 1 else f"{oneof} is not ({' or '.join(empty)})"
    return f"\n    private bool Has{names.pascal(operation.payload.name)} => {test};\n"


def _measured_arm(operation: Operation) -> list[str]:
    if not operation.arms:
        return []
    number = f"(int){names.camel(operation.oneof)}"
    empty = f"ProtoWriter.BytesFieldLength({number}, 0)"
    if not operation.payload:
        return [empty]
    if any(map(_is_scalar, operation.arms)):
        return [_measure(number, operation.payload)]
    nested = f"Field.MeasureNested({number}, {dotnet.argument_name(operation.payload)})"
    has = _has_payload(operation)
    return [f"(Has{names.pascal(operation.payload.name)} ? {nested} : {empty})" if has else nested]


def _written_arm(operation: Operation) -> str:
    if not operation.arms:
        return ""
    number, indent = f"(int){names.camel(operation.oneof)}", " " * 8
    empty = f"writer.WriteLengthPrefix({number}, 0);\n"
    if not operation.payload:
        return indent + empty
    if any(map(_is_scalar, operation.arms)):
        return _write(number, operation.payload)
    nested = f"Field.WriteNested(ref writer, {number}, {dotnet.argument_name(operation.payload)});\n"
    if not _has_payload(operation):
        return indent + nested
    test = f"{indent}if (Has{names.pascal(operation.payload.name)})\n"
    return (
        f"{test}{indent}{{\n{indent}    {nested}{indent}}}\n{indent}else\n{indent}{{\n{indent}    {empty}{indent}}}\n"
    )


def _decode(operation: Operation, response: str) -> str:
    head = f"    public static {response} Decode(ReadOnlySpan<byte> payload)"
    first = operation.cases[0]
    if first.number:
        content = "out ReadOnlySpan<byte> content" if any(case.values for case in operation.cases) else "out _"
        arms = "".join(f"        {case.number} => {_made(operation, response, case)},\n" for case in operation.cases)
        return f"""{head} => Answer.ReadOutcome(payload, {content}) switch
    {{
{arms}        _ => throw Answer.Unexpected("{names.camel(operation.name)}"),
    }};
"""
    if first.values:
        return f"{head} =>\n        {_made(operation, response, first)};\n"
    return f"""{head}
    {{
        Answer.RequireWellFormed(payload);
        return {_made(operation, response, first)};
    }}
"""


def _made(operation: Operation, response: str, case: Case) -> str:
    name = f"{response}.{names.pascal(operation.case_name('dotnet', case))}"
    if not case.values:
        return f"{name}.Instance"
    source = "content" if case.number else "payload"
    return f"new {name}({', '.join(_read(value, source) for value in case.values)})"


def _read(value: Value, source: str) -> str:
    place = f"({source}, {value.number})"
    kind = dotnet.value_type(value)
    match kind:
        case "ReadOnlyMemory<byte>":
            return f"Answer.ReadBytes{place}.ToArray()"
        case "TimeSpan":
            return f"Answer.ReadDuration{place}"
        case "bool":
            return f"Answer.ReadVarint{place} != 0"
        case "ulong":
            return f"Answer.ReadVarint{place}"
    if value.repeated or kind in ("string", "double"):
        raise ValueError(f"{value.name}: a {kind} is read by hand (column hand)")
    return f"({kind})Answer.ReadVarint{place}"


def _enum(operation: Operation) -> str:
    if not operation.arms:
        return ""
    arms = "".join(f"    {names.pascal(arm.name.removesuffix('_ms'))} = {arm.number},\n" for arm in operation.arms)
    return f"""
/// <summary>The fields of <c>{operation.rpc.request}.{operation.oneof}</c>.</summary>
internal enum {dotnet.enum_name(operation)}
{{
{arms}}}
"""
