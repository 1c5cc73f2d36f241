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
    return f"""<!-- {page.WRITTEN} -->
# Calls

Each RPC of the protocol with the client methods for it. .NET adds `Async` and capitalises; Python uses underscores.
*Role*: the rights that a token needs in the cache (AUTH-9); open: any valid token.
*Retry*: may be retried even if it may have run (RETRY-1). *Field*: its number in a pipeline; none: unary only.

| RPC | role | request | response | retry | field | methods |
|---|---|---|---|---|---|---|
{rows}"""


def _row(operation: Operation) -> str:
    asks = ", ".join(f"{each.parameter.name}" for each in operation.arguments)
    arms = " \\| ".join(arm.name for arm in operation.arms)
    asks = ", ".join(filter(None, [asks, f"one of {arms}" if arms else ""]))
    answers = " · ".join(_case(case.name, [value.name for value in case.values]) for case in operation.cases)
    again = "yes" if operation.idempotent else " ".join(f"`{form.name}`" for form in operation.forms if form.idempotent)
    own = [method.name for method in operation.methods if method.arm] or operation.names
    methods = " ".join(f"`{name}`" for name in own) or "none; only the server's code is generated"
    roles = [f"{form.role}: `{form.name}`" for form in operation.forms if form.role != operation.role]
    role = ", ".join([operation.role, *roles])
    return f"| `{operation.name}` | {role} | {asks} | {answers} | {again} | {operation.pipeline or ''} | {methods} |\n"


def _case(name: str, values: list[str]) -> str:
    return f"{names.spaced(name)} ({', '.join(values)})" if values else names.spaced(name)
