"""What the contract's own pages repeat: the pipeline's oneofs, the calls that may be sent again, the reference."""

from __future__ import annotations

import re
from pathlib import Path

import names
import page
from table import Operation, Table

_PIPELINE = "protocol/proto/pipeline.proto"
_RETRY = "protocol/spec/retry.md"


def outputs(table: Table, root: Path) -> dict[str, str]:
    return {_PIPELINE: _pipeline(table, root / _PIPELINE), _RETRY: _retry(table, root / _RETRY)}


def _pipeline(table: Table, path: Path) -> str:
    calls = "".join(_field(each, "Request") for each in table.pipelined)
    results = "".join(_field(each, "Response") for each in table.pipelined)
    text = page.region(path, "calls", calls)
    return page.region(path, "results", results, text)


def _field(operation: Operation, suffix: str) -> str:
    message = operation.rpc.request if suffix == "Request" else operation.rpc.response
    # A stream of answers is one message in a pipeline.
    if suffix == "Response" and operation.rpc.streams:
        message = f"{operation.name}Result"
    else:
        message = f"cache_client.{message}"
    return f"    {message} {names.snake(operation.name)} = {operation.pipeline};\n"


def _retry(table: Table, path: Path) -> str:
    again = ", ".join(each.name for each in table.operations if each.idempotent)
    line = re.compile(r"^- \*\*RETRY-1\*\* .*$", re.MULTILINE)
    return line.sub(f"- **RETRY-1** These calls may be sent again: {again}.", path.read_text())
