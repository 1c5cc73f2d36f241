"""The .NET client's operations: the content of each request, and how its response is read."""

from __future__ import annotations

from pathlib import Path

import dotnet
import dotnet_results
import names
import page
from dotnet_fields import body_length, measure, measured_body, write, written_body
from shapes import Argument, Arm, Case, Operation, Parameter, Table, Value


def outputs(table: Table, root: Path) -> dict[str, str]:
    written = [each for each in table.operations if "codec" not in each.hand]
    files = {f"{dotnet.generated('Operations', each)}/{each.name}Operation.cs": _operation(each) for each in written}
    return files | {f"{dotnet.CLIENT}/Operations/Generated/OperationTable.cs": _table(table)}


def _table(table: Table) -> str:
    rows = [(name, each) for each in table.operations for name in [*each.names, *_single(each)]]
    return f"""{dotnet.HEAD}namespace Larder.Client.Operations;

/// <summary>The properties of each operation.</summary>
internal static class OperationTable
{{
    /// <summary>Gets the number of operations: the highest <see cref="OperationInfo.Index"/> plus one.</summary>
    public const int Count = {len(rows)};

{"".join(map(lambda row: _row(*row), enumerate(rows)))}}}
"""


def _single(operation: Operation) -> list[str]:
    """Return the name of the array-free operation for a single element (ADR-0090), if there is one."""
    name = operation.aliases["dotnet"].get("single")
    return [name] if name else []


def _row(index: int, row: tuple[str, Operation]) -> str:
    name, operation = row
    items = [str(index), f'"{name}"', f'"{operation.rpc.path}"', f"pipelineField: {operation.pipeline}"]
    items.append(f"isIdempotent: {str(operation.idempotent).lower()}")
    declared = f"public static OperationInfo {names.pascal(name)} {{ get; }} = new"
    return page.wrapped(declared, items, ";\n", 4, page.WIDTH["cs"])


def _operation(operation: Operation) -> str:
    type_name, response = f"{operation.name}Operation", dotnet_results.type_of(operation)
    measured = [*map(measure, operation.arguments), *_measured_flags(operation), *_measured_arm(operation)]
    declared = f"internal {'readonly struct' if operation.hot else 'sealed class'} {type_name}"
    interface = f" : IOperation<{type_name}, {response}>\n"
    head = page.wrapped(declared, _constructor(operation), interface, 0, page.WIDTH["cs"])
    if not _constructor(operation):
        head = head.replace("()", "", 1)
    return f"""{dotnet.HEAD}using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

{head}{{
    public static OperationInfo Info => OperationTable.{operation.name};

    public int KeyLength => {f"{operation.key.name}.Length" if operation.key else "0"};

{_end_copies(operation)}{_asked(operation)}{_has_payload(operation)}{_body(operation)}
    public int Measure() => {_sum(measured)};

    public void Write(ref ProtoWriter writer)
    {{
{_written(operation)}    }}

{_decode(operation, response)}{_require(operation, response)}
    public static {response} Fail(CacheError error) => {response}.Failed(error);
}}
{_enum(operation)}"""


def _end_copies(operation: Operation) -> str:
    """Return code that drops the near copies of all keys that the call names, or of the cache that the call empties."""
    head = "    public void EndCopies(NearReads near, string cache)"
    ended = [f"near.Ended(cache, {operation.key.name})"] if operation.key else []
    ended += ["near.Flushed(name)"] if operation.name in ("FlushCache", "DeleteCache") else []
    lists = [
        (dotnet.argument_name(given), dotnet.argument_type(given).removesuffix("[]"), names.pascal(part.name))
        for given in (each.parameter for each in operation.arguments)
        for part in given.parts
        if part.name == "key" or (part.name == "name" and part.kind == "bytes")
    ]
    if len(ended) == 1 and not lists:
        return f"{head} => {ended[0]};\n"
    lines = [f"        {each};\n" for each in ended]
    lines += [
        f"        foreach ({kind} each in {given})\n        {{\n"
        f"            near.Ended(cache, each.{part});\n        }}\n"
        for given, kind, part in lists
    ]
    body = "".join(lines)
    return f"{head}\n    {{\n{body}    }}\n"


def _written(operation: Operation) -> str:
    """Return the body of Write; an empty line follows each block except the last."""
    lines = [*map(write, operation.arguments), *_written_flags(operation), _written_arm(operation)]
    if operation.body:
        lines.append(("\n" if operation.body.arguments else "") + written_body(operation.body))
    text = "".join(lines)
    return text[:-1] if text.endswith("\n\n") else text


def _constructor(operation: Operation) -> list[str]:
    given = [_declared(each.parameter) for each in operation.arguments]
    given += [_declared(each.parameter) for each in operation.body.arguments] if operation.body else []
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


def _is_scalar(arm: Arm) -> bool:
    return arm.parameter is not None and arm.parameter.kind == "new_ttl"


def _asked(operation: Operation) -> str:
    """Return the property with the number of parts that the response must have."""
    if not operation.each:
        return ""
    asked, _ = operation.each
    return f"\n    private int Asked => {dotnet.argument_name(asked.parameter)}.Length;\n"


def _has_payload(operation: Operation) -> str:
    """Return the property that indicates whether the chosen arm has a payload.

    The text is empty unless only some arms have a payload.
    """
    empty = [f"{dotnet.enum_name(operation)}.{names.pascal(arm.name)}" for arm in operation.arms if not arm.parameter]
    if not operation.payload or not empty:
        return ""
    oneof = names.camel(operation.oneof)
    test = f"{oneof} != {empty[0]}" if len(empty) == 1 else f"{oneof} is not ({' or '.join(empty)})"
    return f"\n    private bool Has{names.pascal(operation.payload.name)} => {test};\n"


def _body(operation: Operation) -> str:
    """Return the property with the length of a form's arm."""
    body = operation.body
    if body is None or not body.arguments:
        return ""
    return f"\n    private int {body_length(body)} => {_sum([*map(measure, body.arguments)])};\n"


def _measured_flags(operation: Operation) -> list[str]:
    return [f"ProtoWriter.VarintFieldLength({number}, 1)" for number in operation.flags]


def _written_flags(operation: Operation) -> list[str]:
    return [f"{' ' * 8}writer.WriteVarintField({number}, 1);\n" for number in operation.flags]


def _measured_arm(operation: Operation) -> list[str]:
    if operation.body:
        return [measured_body(operation.body)]
    if not operation.arms:
        return []
    number = f"(int){names.camel(operation.oneof)}"
    empty = f"ProtoWriter.BytesFieldLength({number}, 0)"
    if not operation.payload:
        return [empty]
    if any(map(_is_scalar, operation.arms)):
        return [measure(Argument(0, operation.payload), number)]
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
        return write(Argument(0, operation.payload), number)
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
        begin = f"{head} => Answer.ReadOutcome(payload, {content}) switch"
        indent = " " * 4
        if len(begin) > page.WIDTH["cs"]:
            indent *= 2
            begin = begin.replace(" => ", f" =>\n{indent}", 1)
        arms = "".join(f"{indent}    {case.number} => {_chosen(operation, case)},\n" for case in operation.cases)
        return f"""{begin}
{indent}{{
{arms}{indent}    _ => throw Answer.Unexpected("{names.camel(operation.name)}"),
{indent}}};
"""
    if first.values:
        return f"{head} =>\n        {_made(operation, first)};\n"
    return f"""{head}
    {{
        Answer.RequireWellFormed(payload);
        return {_made(operation, first)};
    }}
"""


def _require(operation: Operation, response: str) -> str:
    """Return the check that a response has as many parts as were requested."""
    if not operation.each:
        return ""
    return f"""
    public static void Require(in {operation.name}Operation operation, {response} response) =>
        Answer.RequireCount(response, operation.Asked);
"""


def _chosen(operation: Operation, case: Case) -> str:
    """Return the expression for a case. If the case contains its own result, a miss is the last case."""
    made = _made(operation, case)
    if not case.result:
        return made
    return f"Answer.IsHit(content, {case.result}) ? {made} : {_made(operation, operation.cases[-1])}"


def _made(operation: Operation, case: Case) -> str:
    source = "content" if case.number else "payload"
    source = f"Answer.ReadBranch({source}, {case.within})" if case.within else source
    return dotnet_results.made(operation, case, [_read(value, source) for value in case.values])


def _read(value: Value, source: str) -> str:
    place = f"({source}, {value.number})"
    kind = dotnet.value_type(value)
    if value.repeated:
        return _read_list(value, source)
    match kind:
        case "ReadOnlyMemory<byte>" | "CacheValue":
            return f"Answer.ReadBytes{place}.ToArray()"
        case "TimeSpan":
            return f"Answer.ReadDuration{place}"
        case "bool":
            return f"Answer.ReadVarint{place} != 0"
        case "int":
            return f"Answer.ReadInt{place}"
        case "double":
            return f"Answer.ReadDouble{place}"
    if value.kind == "uint64":
        return f"Answer.ReadLong{place}"
    if kind == "string":
        raise ValueError(
            f'{value.name}: cannot generate .NET code that reads a {kind}; set "codec" in the column "hand"'
        )
    return f"({kind})Answer.ReadVarint{place}"


def _read_list(value: Value, source: str) -> str:
    if value.result:
        reader = "ReadParts" if value.kind == "bytes" else "ReadScores"
        return f"Answer.{reader}({source}, {value.number}, {value.result})"
    readers = {
        "bytes": "ReadList",
        "bool": "ReadFlags",
        "DictionaryItem": "ReadItems",
        "SortedSetElement": "ReadElements",
    }
    if value.kind not in readers:
        raise ValueError(
            f"{value.name}: cannot generate .NET code that reads a list of {value.kind}; "
            'set "codec" in the column "hand"'
        )
    return f"Answer.{readers[value.kind]}({source}, {value.number})"


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
