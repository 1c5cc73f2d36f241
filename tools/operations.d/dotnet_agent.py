"""The .NET agent's operations: a line of JSON as the client's call, and its answer as a line (conformance/AGENT.md)."""

from __future__ import annotations

from pathlib import Path

import dotnet
import names
import page
from table import Case, Method, Operation, Parameter, Table, Value


def outputs(table: Table, root: Path) -> dict[str, str]:
    return {"clients/dotnet/agent/AgentCalls.cs": _calls(table)}


def _calls(table: Table) -> str:
    own = [each for each in table.operations if "methods" not in each.hand]
    cases = "".join(
        _call(operation, method) for operation in own for method in operation.methods if _is_told(operation)
    )
    answers = "\n".join(
        _answer(each) for each in own if not each.server_only and _is_told(each) and each.rpc.name not in _SHARED
    )
    return f"""{dotnet.HEAD}using System.Text.Json;
using System.Text.Json.Nodes;
using Larder.Client;

namespace Larder.Agent;

/// <summary>The operations of <c>conformance/AGENT.md</c> that are one call of the client each.</summary>
internal static class AgentCalls
{{
    /// <summary>Does one operation; null where it is none of these.</summary>
    /// <exception cref="AgentException">A field is missing.</exception>
    public static async Task<JsonObject?> ExecuteAsync({", ".join(_GIVEN)}) => op switch
    {{
{cases}        _ => null,
    }};

{answers}}}
"""


_GIVEN = ["CacheClient client", "string op", "string cache", "JsonElement line", "CancellationToken stop"]

# Their answers are also those of a batch's items, which are by hand.
_SHARED = ("Get", "Set")


def _is_told(operation: Operation) -> bool:
    """A list of messages is told by hand."""
    return operation.name != "ListCaches"


def _call(operation: Operation, method: Method) -> str:
    given = [_read(each) for each in method.parameters if each.name != "name"]
    arguments = ", ".join([*(["cache"] if operation.is_scoped or operation.arguments else []), *given, "stop"])
    answer = "AgentAnswer.Of" if operation.rpc.name in _SHARED else "Of"
    call = f"await client.{names.pascal(method.name)}Async({arguments}).ConfigureAwait(false)"
    line = f'        "{method.name}" => {answer}({call}),\n'
    return line if len(line) <= page.WIDTH["cs"] else line.replace(f"{answer}(", f"{answer}(\n            ", 1)


def _read(parameter: Parameter) -> str:
    name = names.camel(parameter.name)
    match parameter.kind:
        case "ttl":
            return "line.Ttl()"
        case "new_ttl":
            return "line.DemandTtl()"
        case "bytes":
            return f'line.Bytes("{name}")'
        case "bool":
            return f'line.Flag("{name}", false)'
        case "int64":
            return f'line.DemandLong("{name}")'
    raise ValueError(f'{parameter.name}: an agent reads a {parameter.kind} by hand (column hand, "methods")')


def _answer(operation: Operation) -> str:
    response = f"{operation.name}Response"
    arms = "".join(f"        {_case(operation, response, case)},\n" for case in operation.cases)
    return f"""    private static JsonObject Of({response} response) => response switch
    {{
{arms}        _ => AgentAnswer.FailedOr(response),
    }};
"""


def _case(operation: Operation, response: str, case: Case) -> str:
    name = names.pascal(operation.case_name("dotnet", case))
    result = f'AgentAnswer.Result("{names.camel(case.name)}")'
    if not case.values:
        return f"{response}.{name} => {result}"
    local = "told" if name == "Success" else names.camel(name)
    return f"{response}.{name} {local} => {result}{''.join(_value(each, local) for each in case.values)}"


def _value(value: Value, local: str) -> str:
    name, read = names.camel(value.name), f"{local}.{dotnet.value_name(value)}"
    match dotnet.value_type(value):
        case "ReadOnlyMemory<byte>":
            # A hash is opaque: never text.
            return (
                f'.With("{name}Base64", Convert.ToBase64String({read}.Span))'
                if name == "hash"
                else f'.WithBytes("{name}", {read}.Span)'
            )
        case "TimeSpan":
            return f'.With("{name}", (long){read}.TotalMilliseconds)'
        case "bool":
            return f'.With("{name}", {read})'
        case "long":
            return f'.WithNumber("{"number" if name == "value" else name}", {read})'
        case "ulong" | "uint":
            return f'.With("{name}", {read})'
        case "CacheItemType":
            return f'.With("{name}", JsonNamingPolicy.CamelCase.ConvertName({read}.ToString()))'
    raise ValueError(f"{value.name}: an agent answers it by hand (column hand)")
