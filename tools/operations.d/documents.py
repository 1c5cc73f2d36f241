"""Generates parts of the specification and docs/calls.md: the pipeline's oneofs, retryable calls, all calls."""

from __future__ import annotations

import re
from pathlib import Path

import names
import page
from shapes import Operation, Table

_PIPELINE = "protocol/proto/pipeline.proto"
_RETRY = "protocol/spec/retry.md"
_CALLS = "docs/calls.md"
# The client methods of calls whose methods are not generated, or have no public method of their own.
_BY_HAND = {
    "GetOrLease": "`getOrSet` with a lease",
    "SetWithLease": "`getOrSet` with a lease, `setWithTags`",
    "ReleaseLease": "`getOrSet` with a lease",
    "SetIfNotExists": "none; use `setIfAbsent`",
    "GenerateDisposableToken": "none; use a published SDK",
    "Subscribe": "`subscribe`",
}
# Methods of the clients that are not an RPC of their own, by the method that they call.
_MORE = {
    "dictionarySet": "`dictionarySetField` `dictionarySetFields`",
    "dictionaryGet": "`dictionaryGetField` `dictionaryGetFields`",
    "dictionaryRemove": "`dictionaryRemoveField` `dictionaryRemoveFields`",
    "setUnion": "`setAddElement` `setAddElements`",
    "setDifference": "`setRemoveElement` `setRemoveElements`",
    "setContains": "`setContainsElement` `setContainsElements`",
    "sortedSetPut": "`sortedSetPutElement` `sortedSetPutElements`",
    "sortedSetGetScore": "`sortedSetGetElementScore`",
    "sortedSetRemove": "`sortedSetRemoveElement` `sortedSetRemoveElements`",
}


def outputs(table: Table, root: Path) -> dict[str, str]:
    return {
        _PIPELINE: _pipeline(table, root / _PIPELINE),
        _RETRY: _retry(table, root / _RETRY),
        _CALLS: _calls(table),
    }


def _pipeline(table: Table, path: Path) -> str:
    calls = "".join(_field(each, "Request") for each in table.pipelined)
    results = "".join(_field(each, "Response") for each in table.pipelined)
    text = page.region(path, "calls", calls)
    return page.region(path, "results", results, text)


def _field(operation: Operation, suffix: str) -> str:
    message = operation.rpc.request if suffix == "Request" else operation.rpc.response
    # In a pipeline, the responses of a streaming call are combined into one message.
    if suffix == "Response" and operation.rpc.streams:
        message = f"{operation.name}Result"
    else:
        message = f"cache_client.{message}"
    return f"    {message} {names.snake(operation.name)} = {operation.pipeline};\n"


def _retry(table: Table, path: Path) -> str:
    again = ", ".join(filter(None, map(_again, table.operations)))
    line = re.compile(r"^- \*\*RETRY-1\*\* .*$", re.MULTILINE)
    rule = f"- **RETRY-1** A client may retry these calls even if they may have been executed: {again}."
    return line.sub(rule, path.read_text())


def _again(operation: Operation) -> str:
    """Return the name of a call that may be retried.

    If only some forms of the call may be retried, the text also names their arms. If the call may not be retried, the
    text is empty.
    """
    arms = [form.arm for form in operation.forms if form.idempotent]
    return operation.name if operation.idempotent else f"{operation.name} ({', '.join(arms)})" if arms else ""


def _calls(table: Table) -> str:
    rows = "".join(_row(each) for each in table.operations)
    more = "".join(f"| `{called}` | {methods} |\n" for called, methods in _MORE.items())
    return f"""<!-- {page.WRITTEN} -->
# Calls

Look up the role that a token needs for a call, whether the clients retry the call, and the client methods that make it.
Methods have their names in Node: .NET starts them with a capital letter and adds `Async`, Python uses underscores.

| column | meaning |
|---|---|
| RPC | the name of the call in the protocol (`protocol/proto`) |
| role | the role in the cache that a token needs (AUTH-9; for topics AUTH-26); open: any valid token |
| request, response | the fields of the request; the cases of the response, each with its fields |
| retry | yes, or the methods: the client may retry the call even if it may have run (RETRY-1) |
| field | the number of the call in a message of the pipeline; empty: the call is always unary |
| methods | the client methods; `createCache` to `ping` belong to the client, all others to the handle of a cache |

| RPC | role | request | response | retry | field | methods |
|---|---|---|---|---|---|---|
{rows}
## More methods
These methods make one of the calls above, for a single field or element, or under another name:

| call | methods |
|---|---|
{more}
`getOrSet`, `getOrSetBatch` and `typed` combine several calls: [get or set](guides/get-or-set.md).

## Next steps
[The API in three languages](api.md), [collections](guides/collections.md), [security](guides/security.md).
"""


def _row(operation: Operation) -> str:
    asks = ", ".join(f"{each.parameter.name}" for each in operation.arguments)
    arms = " \\| ".join(arm.name for arm in operation.arms)
    asks = ", ".join(filter(None, [asks, f"one of {arms}" if arms else ""]))
    answers = " · ".join(_case(case.name, [value.name for value in case.values]) for case in operation.cases)
    again = "yes" if operation.idempotent else " ".join(f"`{form.name}`" for form in operation.forms if form.idempotent)
    own = [method.name for method in operation.methods if method.arm] or operation.names
    methods = _BY_HAND.get(operation.name) or " ".join(f"`{name}`" for name in own)
    roles = [f"{form.role}: `{form.name}`" for form in operation.forms if form.role != operation.role]
    role = ", ".join([operation.role, *roles])
    return f"| `{operation.name}` | {role} | {asks} | {answers} | {again} | {operation.pipeline or ''} | {methods} |\n"


def _case(name: str, values: list[str]) -> str:
    return f"{names.spaced(name)} ({', '.join(values)})" if values else names.spaced(name)
