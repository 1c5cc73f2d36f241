"""The .NET agent's operations: convert a JSON line to a call, and its response to JSON (conformance/AGENT.md)."""

from __future__ import annotations

from pathlib import Path

import dotnet
import dotnet_results
import names
import page
from shapes import COLLECTION_TTLS, Case, Group, Method, Operation, Parameter, Table, Value

_FOLDER = "clients/dotnet/agent/Operations/Generated"


def outputs(table: Table, root: Path) -> dict[str, str]:
    answered = {group.name: _answered(table, group) for group in table.groups}
    answers = {
        f"{_FOLDER}/AgentCalls.{names.pascal(group)}.cs": _answers(group, operations)
        for group, operations in answered.items()
        if operations
    }
    return {f"{_FOLDER}/AgentCalls.cs": _calls(table)} | answers


def _calls(table: Table) -> str:
    cases = "".join(
        _call(operation, method)
        for operation in table.operations
        if "methods" not in operation.hand and _is_told(operation)
        for method in operation.methods
    )
    return f"""{dotnet.HEAD}using System.Text.Json;
using System.Text.Json.Nodes;
using Larder.Client;

namespace Larder.Agent;

/// <summary>The operations of <c>conformance/AGENT.md</c> that make one client call each.</summary>
internal static partial class AgentCalls
{{
    /// <summary>Runs an operation; returns null if it is not one of these.</summary>
    /// <exception cref="AgentException">A field is missing.</exception>
    public static async Task<JsonObject?> ExecuteAsync({", ".join(_GIVEN)}) => op switch
    {{
{cases}        _ => null,
    }};
}}
"""


def _answered(table: Table, group: Group) -> list[Operation]:
    return [
        each
        for each in table.answered
        if each.group == group.name and "methods" not in each.hand and _is_told(each) and not _is_shared(each)
    ]


def _answers(group: str, operations: list[Operation]) -> str:
    bodies = "\n".join(map(_answer, operations))
    usings = "using System.Text.Json;\n" if "JsonNamingPolicy" in bodies else ""
    return f"""{dotnet.HEAD}{usings}using System.Text.Json.Nodes;
using Larder.Client;

namespace Larder.Agent;

/// <content>The responses of {names.spaced(group)}.</content>
internal static partial class AgentCalls
{{
{bodies}}}
"""


_GIVEN = ["CacheClient client", "string op", "Cache cache", "JsonElement line", "CancellationToken stop"]


def _is_shared(operation: Operation) -> bool:
    """Return whether the conversion is handwritten: of results without a value, and of Get, which batches contain."""
    return operation.rpc.name == "Get" or dotnet_results.type_of(operation) == "CacheResult"


def _is_told(operation: Operation) -> bool:
    """Return whether a response can be converted here; a list of messages is converted by handwritten code."""
    return operation.name != "ListCaches"


# The method that reads a list, by the type of the list's items.
_LISTS = {
    "bytes": "List",
    "DictionaryItem": "Items",
    "SortedSetElement": "Elements",
    "ListRange": "Ranges",
    "SortedSetSource": "Sources",
}


def _call(operation: Operation, method: Method) -> str:
    given = [_read(each) for each in method.parameters if each.kind != "string"]
    owner = "cache" if operation.is_scoped else "client"
    items = [*(["cache.Name"] if not operation.is_scoped and operation.arguments else []), *given, "stop"]
    arguments = ", ".join(items)
    answer = "AgentAnswer.Of" if _is_shared(operation) else f"{operation.rpc.name}Answer"
    call = f"await {owner}.{names.pascal(method.name)}Async({arguments}).ConfigureAwait(false)"
    line = f'        "{method.name}" => {answer}({call}),\n'
    if len(line) <= page.WIDTH["cs"]:
        return line
    if len(call) - len(".ConfigureAwait(false)") + 12 > page.WIDTH["cs"]:
        made = f"await {owner}.{names.pascal(method.name)}Async"
        wrapped = page.wrapped(made, items, ".ConfigureAwait(false)", 12, page.WIDTH["cs"])
        return f'        "{method.name}" => {answer}(\n{wrapped}),\n'
    return line.replace(f"{answer}(", f"{answer}(\n            ", 1)


def _read(parameter: Parameter) -> str:
    # The agent's JSON line names a collection in the field "key".
    name = "key" if parameter.is_key else names.camel(parameter.name)
    if parameter.repeated:
        return f'line.{_LISTS[parameter.kind]}("{name}")'
    if parameter.choices:
        return f'line.Choice("{name}", {parameter.kind}.{names.pascal(parameter.default.lower())})'
    if parameter.kind in COLLECTION_TTLS:
        return "line.CollectionTtl()"
    match parameter.kind:
        case "uint32" | "sint32":
            return f'line.Int("{name}", {parameter.default})'
        case "uint64":
            return f'line.RequireLong("{name}")'
        case "double":
            return f'line.Score("{name}")'
        case "index":
            return f'line.Index("{name}")'
        case "score_bound":
            return f'line.Bound("{name}")'
        case "ttl":
            return "line.Ttl()"
        case "new_ttl":
            return "line.RequireTtl()"
        case "bytes":
            return f'line.Bytes("{name}")'
        case "bool":
            return f'line.Flag("{name}", false)'
        case "int64":
            return f'line.RequireLong("{name}")'
    raise ValueError(
        f"{parameter.name}: cannot generate .NET agent code that reads a {parameter.kind}; "
        'set "methods" in the column "hand"'
    )


def _answer(operation: Operation) -> str:
    arms = "".join(f"        {_case(operation, case)},\n" for case in operation.cases)
    parameter = f"{dotnet_results.type_of(operation)} result"
    return f"""    private static JsonObject {operation.rpc.name}Answer({parameter}) => result switch
    {{
{arms}        _ => AgentAnswer.FailedOr(result),
    }};
"""


def _case(operation: Operation, case: Case) -> str:
    made = f'AgentAnswer.Result("{names.camel(case.name)}")'
    reads = [(each, dotnet_results.read_value(operation, case, each, "result")) for each in case.values]
    return f"{dotnet_results.test(operation, case)} => {made}{''.join(_value(*each) for each in reads)}"


def _value(value: Value, read: str) -> str:
    name = names.camel(value.name)
    if value.repeated:
        return f'.WithList("{name}", {read})'
    match dotnet.value_type(value):
        case "ReadOnlyMemory<byte>":
            return f'.With("{name}Base64", Convert.ToBase64String({read}.Span))'
        case "CacheValue":
            return f'.WithBytes("{name}", {read}.Span)'
        case "TimeSpan":
            return f'.With("{name}", (long){read}.TotalMilliseconds)'
        case "bool":
            return f'.With("{name}", {read})'
        case "long" if value.kind == "int64":
            return f'.WithNumber("{"number" if name == "value" else name}", {read})'
        case "int" | "long":
            return f'.With("{name}", {read})'
        case "double":
            return f'.WithScore("{name}", {read})'
        case "CacheItemType":
            return f'.With("{name}", JsonNamingPolicy.CamelCase.ConvertName({read}.ToString()))'
    raise ValueError(
        f'{value.name}: cannot generate .NET agent code that writes this value; set "methods" in the column "hand"'
    )
