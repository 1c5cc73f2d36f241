"""The .NET client's methods, by cache name and on a bound cache."""

from __future__ import annotations

from pathlib import Path

import dotnet
import names
import page
from table import Group, Method, Operation, Table

_BYTES = ("bytes", "string")


def outputs(table: Table, root: Path) -> dict[str, str]:
    groups = [(group, _methods(group)) for group in table.groups if _methods(group)]
    files = {f"{dotnet.CLIENT}/CacheClient.{names.pascal(group.name)}.cs": _client(group) for group, _ in groups}
    return files | {f"{dotnet.CLIENT}/BoundCache.Calls.cs": _bound_cache(table)}


def _methods(group: Group) -> list[tuple[Operation, Method]]:
    return [
        (operation, method)
        for operation in group.operations
        if "methods" not in operation.hand
        for method in operation.methods
    ]


def _client(group: Group) -> str:
    return f"""{dotnet.HEAD}using Larder.Client.Operations;

namespace Larder.Client;

/// <content>{group.doc}</content>
public sealed partial class CacheClient
{{
{chr(10).join(_call(*each) for each in _methods(group))}}}
"""


def _call(operation: Operation, method: Method) -> str:
    cache = ["string cache"] if operation.is_scoped else []
    head = page.wrapped(_head(operation, method), _declared(operation, method, cache), "", 4, page.WIDTH["cs"])
    type_name, response = f"{operation.name}Operation", f"{operation.name}Response"
    scope = "cache" if operation.is_scoped else '""'
    run = f"_runner.Run<{type_name}, {response}>({scope}, {_made(operation, method)}, _timeout, cancellationToken)"
    checks = _checks(operation, method)
    documented = dotnet.documented(operation, method, bound=False)
    if not checks:
        return f"{documented}{head} =>\n        {run};\n"
    return f"""{documented}{head}
    {{
        CacheError? error = {checks};
        return error is null
            ? {run}
            : ValueTask.FromResult({type_name}.Fail(error));
    }}
"""


def _head(operation: Operation, method: Method) -> str:
    return f"public ValueTask<{operation.name}Response> {names.pascal(method.name)}Async"


def _declared(operation: Operation, method: Method, cache: list[str]) -> list[str]:
    given = [dotnet.declared(operation, each) for each in method.parameters]
    return [*cache, *given, "CancellationToken cancellationToken = default"]


def _made(operation: Operation, method: Method) -> str:
    given = [_argument(operation, each.parameter) for each in operation.arguments]
    if method.arm:
        given.append(f"{dotnet.enum_name(operation)}.{names.pascal(method.arm.name.removesuffix('_ms'))}")
        if method.arm.parameter:
            given.append(_argument(operation, method.arm.parameter))
    return f"new {operation.name}Operation({', '.join(given)})"


def _argument(operation: Operation, parameter) -> str:
    return "ttlMs" if parameter.kind in ("ttl", "new_ttl") else dotnet.parameter_name(operation, parameter)


def _checks(operation: Operation, method: Method) -> str:
    """What is refused before sending: times to live first, as they are made numbers there."""
    kinds = {each.kind for each in method.parameters}
    checks = ["CheckTtl(ttl, out ulong ttlMs)"] if "ttl" in kinds else []
    checks += ["Arguments.CheckTtl(ttl, out ulong ttlMs)"] if "new_ttl" in kinds else []
    checks += ["CheckCache(cache)"] if operation.is_scoped else []
    for each in method.parameters:
        name = dotnet.parameter_name(operation, each)
        if name == "cache":
            checks.append("Arguments.CheckCache(cache)")
        elif each.name == "key":
            checks.append("Arguments.CheckKey(key)")
        elif each.kind in _BYTES:
            checks.append(f"Arguments.CheckValue({name})")
    return " ?? ".join(checks)


def _bound_cache(table: Table) -> str:
    calls = [each for group in table.groups for each in _methods(group) if each[0].is_scoped]
    return f"""{dotnet.HEAD}namespace Larder.Client;

/// <content>The client's calls with the cache's name bound.</content>
public sealed partial class BoundCache
{{
{chr(10).join(_bound(*each) for each in calls)}}}
"""


def _bound(operation: Operation, method: Method) -> str:
    head = page.wrapped(_head(operation, method), _declared(operation, method, []), " =>\n", 4, page.WIDTH["cs"])
    given = ["Name", *(dotnet.parameter_name(operation, each) for each in method.parameters), "cancellationToken"]
    call = f"        _client.{names.pascal(method.name)}Async({', '.join(given)});\n"
    return dotnet.documented(operation, method, bound=True) + head + call
