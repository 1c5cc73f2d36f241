"""The server's table of calls: how requests are read, and what responses may contain."""

from __future__ import annotations

from pathlib import Path

import names
import page
from shapes import Argument, Case, Operation, Table

_FOLDER = "server/src/Larder.Server/Generated"
_HEAD = f"// {page.WRITTEN}\n"
_VARINTS = {
    "int64": "long",
    "uint64": "ulong",
    "uint32": "uint",
    "bool": "bool",
    "ItemType": "ulong",
    "ttl": "ulong",
    "new_ttl": "ulong",
}


def outputs(table: Table, root: Path) -> dict[str, str]:
    files = {f"{_FOLDER}/CacheCalls.cs": _calls(table), f"{_FOLDER}/RemoteCallTable.cs": _remote_calls(table)}
    for operation in table.pipelined:
        if "server" in operation.hand:
            continue
        if not _is_key(operation):
            files[f"{_FOLDER}/{operation.name}Fields.cs"] = _fields(operation)
        if operation.cases[0].number or operation.cases[0].values:
            files[f"{_FOLDER}/{operation.name}Answer.cs"] = _answer(operation)
    return files


def _is_key(operation: Operation) -> bool:
    """Return whether the request contains only a key, which KeyRequest reads."""
    return not operation.arms and [each.parameter.name for each in operation.arguments] == ["key"]


def _calls(table: Table) -> str:
    single = "".join(_row(each) for each in table.pipelined if not each.rpc.streams)
    batches = "".join(_row(each) for each in table.pipelined if each.rpc.streams)
    return f"""{_HEAD}namespace Larder.Server.Calls;

/// <summary>All data calls.</summary>
internal static class CacheCalls
{{
    /// <summary>The calls that return one message on either transport.</summary>
    public static readonly IReadOnlyList<CacheCall> Single =
    [
{single}    ];

    /// <summary>The calls that return one message on a pipeline and a stream on unary.</summary>
    public static readonly IReadOnlyList<CacheCall> Batches =
    [
{batches}    ];
}}
"""


def _remote_calls(table: Table) -> str:
    rows = "".join(f'            ["{each.name}"] = new {each.gateway},\n' for each in table.pipelined if each.gateway)
    return f"""{_HEAD}using Larder.Server.Calls;
using Larder.Store.Collections;

namespace Larder.Server.Fleet;

/// <summary>The implementation of each data call in a gateway, by the name of the call.</summary>
internal static class RemoteCallTable
{{
    public static readonly IReadOnlyDictionary<string, RemoteCall> ByName =
        new Dictionary<string, RemoteCall>(StringComparer.Ordinal)
        {{
{rows}        }};
}}
"""


def _row(operation: Operation) -> str:
    name = operation.name
    cost = f"CostKind.{names.pascal(operation.cost)}"
    more = ", HasList: true" if operation.has_list else ""
    return f'        new("{name}", "{names.kebab(name)}", {operation.pipeline}, {cost}, {name}Call.Run{more}),\n'


def _fields(operation: Operation) -> str:
    name = f"{operation.name}Fields"
    given = [Argument(each.number, each.parameter) for each in operation.arguments]
    declared = "".join(f"    public {_type(each)} {_name(each)};\n" for each in given)
    reads = "".join(map(_read, given))
    if operation.arms:
        payload = operation.payload
        if payload is None or payload.kind != "new_ttl" or any(arm.parameter is None for arm in operation.arms):
            raise ValueError(
                f'{operation.name}: cannot generate server code that reads its oneof; set "server" in the column "hand"'
            )
        oneof = names.pascal(operation.oneof)
        declared += f"""    public ulong TtlMs;

    /// <summary>The field of <c>{operation.oneof}</c>, the last one in the message; 0 if there is none.</summary>
    public int {oneof};
"""
        numbers = " or ".join(str(arm.number) for arm in operation.arms)
        reads += f"""            case ({numbers}, ProtoWireType.Varint):
                {oneof} = reader.Field;
                return reader.TryReadVarint(out TtlMs);
"""
    return f"""{_HEAD}using Larder.Wire.Protobuf;

namespace Larder.Server.Calls;

/// <summary>The fields of <c>{operation.rpc.request}</c>, as references into the message.</summary>
internal ref struct {name}
{{
{declared}
    /// <summary>Decodes; null on success. The caller checks what it got.</summary>
    public static CallError? Decode(ReadOnlySpan<byte> request, out {name} fields)
    {{
        {name} decoded = default;
        ProtoReader reader = new(request);
        while (reader.NextField() && decoded.ReadField(ref reader))
        {{
        }}

        fields = decoded;
        return reader.IsMalformed ? CallError.Malformed : null;
    }}

    private bool ReadField(scoped ref ProtoReader reader)
    {{
        switch (reader.Field, reader.WireType)
        {{
{reads}            default:
                return reader.TrySkip();
        }}
    }}
}}
"""


def _name(argument: Argument) -> str:
    return "TtlMs" if argument.parameter.kind == "ttl" else names.pascal(argument.parameter.name)


def _type(argument: Argument) -> str:
    kind = argument.parameter.kind
    if argument.parameter.repeated or (kind not in _VARINTS and kind not in ("bytes", "string")):
        raise ValueError(
            f"{argument.parameter.name}: cannot generate server code that reads this parameter; "
            'set "server" in the column "hand"'
        )
    return _VARINTS.get(kind, "ReadOnlySpan<byte>")


def _read(argument: Argument) -> str:
    name, kind = _name(argument), _type(argument)
    if kind == "ReadOnlySpan<byte>":
        head = f"            case ({argument.number}, ProtoWireType.LengthDelimited):\n"
        return f"{head}                return reader.TryReadBytes(out {name});\n"
    head = f"            case ({argument.number}, ProtoWireType.Varint):\n"
    if kind == "ulong":
        return f"{head}                return reader.TryReadVarint(out {name});\n"
    local = names.camel(name)
    value = f"{local} != 0" if kind == "bool" else f"({kind}){local}"
    return f"""{head}                bool has{name} = reader.TryReadVarint(out ulong {local});
                {name} = {value};
                return has{name};
"""


def _answer(operation: Operation) -> str:
    return f"""{_HEAD}using System.Buffers;

namespace Larder.Server.Calls;

/// <summary>The responses of {operation.name}.</summary>
internal static class {operation.name}Answer
{{
{chr(10).join(map(_case, operation.cases))}}}
"""


def _case(case: Case) -> str:
    name = names.pascal(case.name)
    docs = f"    /// <summary>{case.doc}</summary>\n"
    head = f"    public static void {name}(IBufferWriter<byte> response"
    if not case.values:
        return f"{docs}{head}) => response.WriteEmptyArm({case.number});\n"
    if len(case.values) > 1 or case.values[0].repeated:
        raise ValueError(
            f'{case.name}: cannot generate server code that writes this response; set "server" in the column "hand"'
        )
    (value,) = case.values
    local = names.camel(value.name)
    docs += '    /// <param name="response">Takes the message.</param>\n'
    docs += f'    /// <param name="{local}">{value.doc}</param>\n'
    if value.kind == "bytes":
        return f"{docs}{head}, ReadOnlySpan<byte> {local}) => response.WriteBytesArm({case.number}, {local});\n"
    kind = _VARINTS[value.kind]
    number = {"bool": f"{local} ? 1u : 0u", "long": f"(ulong){local}"}.get(kind, local)
    write = f"WriteVarintArm({case.number}, {number})" if case.number else f"WriteVarint({value.number}, {number})"
    return f"{docs}{head}, {kind} {local}) => response.{write};\n"
