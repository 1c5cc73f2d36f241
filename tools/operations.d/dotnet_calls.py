"""The .NET client's methods: data calls on a cache's handle, administration on the client."""

from __future__ import annotations

from pathlib import Path

import dotnet
import dotnet_results
import names
import page
from shapes import COLLECTION_TTLS, Group, Method, Operation, Parameter, Table

_FOLDER = f"{dotnet.CLIENT}/Client/Generated"
_BYTES = ("bytes", "string")
# _LISTS contains the methods that check lists, by parameter name. _NUMBERS contains the methods that check numbers, by
# parameter kind.
_LISTS = {
    "fields": "CheckFields",
    "items": "CheckItems",
    "ranges": "CheckRanges",
    "sources": "CheckSources",
}
_NUMBERS = {
    "uint32": "CheckCount",
    "uint64": "CheckCount",
    "double": "CheckNumber",
    "score_bound": "CheckBound",
}


def outputs(table: Table, root: Path) -> dict[str, str]:
    groups = [group for group in table.groups if _methods(group)]
    return {f"{_FOLDER}/{_owner(group)}.{names.pascal(group.name)}.cs": _calls(group) for group in groups}


def _owner(group: Group) -> str:
    return "Cache" if _methods(group)[0][0].is_scoped else "CacheClient"


def _methods(group: Group) -> list[tuple[Operation, Method]]:
    return [
        (operation, method)
        for operation in group.operations
        if "methods" not in operation.hand
        for method in operation.methods
    ]


def _calls(group: Group) -> str:
    return f"""{dotnet.HEAD}using Larder.Client.Operations;

namespace Larder.Client;

/// <content>{group.doc}</content>
public sealed partial class {_owner(group)}
{{
{chr(10).join(_call(*each) for each in _methods(group))}}}
"""


def _call(operation: Operation, method: Method) -> str:
    head = page.wrapped(_head(operation, method), _declared(operation, method), "", 4, page.WIDTH["cs"])
    type_name, response = f"{operation.name}Operation", dotnet_results.type_of(operation)
    scope = "Name" if operation.is_scoped else '""'
    run = f"_runner.Run<{type_name}, {response}>({scope}, {_made(operation, method)}, _timeout, cancellationToken)"
    checks = _checks(operation, method)
    documented = dotnet.documented(operation, method, dotnet_results.documented(operation))
    read = "".join(f"        {_one(each)}[] all = Arguments.Read({each.name});\n" for each in _lists(method))
    if not checks:
        return f"{documented}{head} =>\n        {run};\n"
    return f"""{documented}{head}
    {{
{read}        CacheError? error = {checks};
{_copied(operation)}        return error is null
            ? {run}
            : ValueTask.FromResult({type_name}.Fail(error));
    }}
"""


def _copied(operation: Operation) -> str:
    """Return code that returns a valid near copy without a call; empty for calls whose responses are not kept."""
    if operation.name != "Get":
        return ""
    return """        if (_near is not null && error is null && Copied(key, cancellationToken) is { } copied)
        {
            return ValueTask.FromResult<LookupResult<CacheValue>>(copied);
        }

"""


def _head(operation: Operation, method: Method) -> str:
    return f"public ValueTask<{dotnet_results.type_of(operation)}> {names.pascal(method.name)}Async"


def _declared(operation: Operation, method: Method) -> list[str]:
    given = [dotnet.declared(operation, each) for each in method.parameters]
    return [*given, "CancellationToken cancellationToken = default"]


def _made(operation: Operation, method: Method) -> str:
    given = [_argument(operation, each.parameter) for each in operation.arguments]
    if method.arm:
        given.append(f"{dotnet.enum_name(operation)}.{names.pascal(method.arm.name.removesuffix('_ms'))}")
        if method.arm.parameter:
            given.append(_argument(operation, method.arm.parameter))
    if operation.body:
        given += [_argument(operation, each.parameter) for each in operation.body.arguments]
    return f"new {operation.name}Operation({', '.join(given)})"


def _lists(method: Method) -> list[Parameter]:
    """Return the lists among the parameters. They are enumerated once, before anything else; there is at most one."""
    return [each for each in method.parameters if each.repeated]


def _one(parameter: Parameter) -> str:
    return dotnet.argument_type(parameter).removesuffix("[]")


def _argument(operation: Operation, parameter: Parameter) -> str:
    if parameter.repeated:
        return "all"
    if parameter.kind in COLLECTION_TTLS:
        return "wireTtl"
    return "ttlMs" if parameter.kind in ("ttl", "new_ttl") else dotnet.parameter_name(operation, parameter)


def _checks(operation: Operation, method: Method) -> str:
    """Return the checks before sending. The checks of TTLs are first, because they convert TTLs to numbers."""
    kinds = {each.kind for each in method.parameters}
    checks = ["CheckTtl(ttl, out ulong ttlMs)"] if "ttl" in kinds else []
    checks += ["Arguments.CheckTtl(ttl, out ulong ttlMs)"] if "new_ttl" in kinds else []
    checks += ["CheckTtl(ttl, out WireTtl wireTtl)"] if "collection_ttl" in kinds else []
    checks += ["CheckKeptTtl(ttl, out WireTtl wireTtl)"] if "kept_ttl" in kinds else []
    checks += ["_invalidName"] if operation.is_scoped else []
    for each in method.parameters:
        name = dotnet.parameter_name(operation, each)
        if name == "cache":
            checks.append("Arguments.CheckCache(cache)")
        elif each.repeated:
            checks.append(f"Arguments.{_LISTS.get(each.name, 'CheckElements')}(all)")
        elif each.is_key:
            checks.append(f"Arguments.CheckKey({name})")
        elif each.name == "field":
            checks.append("Arguments.CheckField(field)")
        elif each.kind in _BYTES:
            checks.append(f"Arguments.CheckValue({name})")
        elif each.kind in _NUMBERS:
            checks.append(f'Arguments.{_NUMBERS[each.kind]}({name}, "{name}")')
    return " ?? ".join(checks)
