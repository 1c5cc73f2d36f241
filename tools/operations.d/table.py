"""The table of operations: protocol/operations.toml combined with the messages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import answer
import names
import proto
import tomllib
from request import Reader, is_bound
from shapes import Arm, Form, Group, Method, Operation, Table, method

# The settings that both a group and a row may have.
_TOLD = ("doc", "noun", "cases")
_ROLES = ("open", "read", "write", "readwrite", "admin")
_COSTS = ("constant", "bytes", "elements", "value", "collection", "sources")
_COLUMNS = {
    "role",
    "cost",
    "pipeline",
    "idempotent",
    "hot",
    "hand",
    "server_only",
    "gateway",
    "operations",
    "forms",
    "methods",
    "default",
    "flags",
    "branch",
    "left_out",
    "names",
    "dotnet",
    "python",
}


def read(root: Path) -> Table:
    """Return the table of a checkout. Raises ValueError with a description of the fault."""
    contract = proto.read(root / "protocol" / "proto")
    written = tomllib.loads((root / "protocol" / "operations.toml").read_text())
    groups = [_group(contract, name, columns) for name, columns in written.items()]
    table = Table(groups)
    named = [operation.name for operation in table.operations]
    told = set(named)
    if twice := sorted(name for name in told if named.count(name) > 1):
        raise ValueError(f"operations.toml contains {', '.join(twice)} twice; remove one")
    called = {rpc.name for rpc in contract.rpcs.values() if not rpc.service.endswith(".Pipeline")}
    if told != called:
        raise ValueError(
            "operations.toml and proto/ must have the same RPCs; "
            f"only one of them contains {', '.join(sorted(told ^ called))}"
        )
    fields = [each.pipeline for each in table.pipelined]
    taken = {number for number in fields if fields.count(number) > 1 or number < 4 or number == 7}
    if taken:
        raise ValueError(
            f"pipeline number {', '.join(map(str, sorted(taken)))} is already used; "
            f"the next free one is {max(fields) + 1}"
        )
    return table


def _group(contract: proto.Contract, name: str, columns: dict[str, Any]) -> Group:
    rows = [(rpc, row) for rpc, row in columns.items() if rpc not in _TOLD]
    noun, cases = columns.get("noun", "item"), columns.get("cases", {})
    return Group(name, columns["doc"], [_operation(contract, name, noun, cases, rpc, row) for rpc, row in rows])


def _operation(
    contract: proto.Contract, group: str, noun: str, cases: dict[str, str], name: str, row: dict[str, Any]
) -> Operation:
    if unknown := set(row) - _COLUMNS:
        raise ValueError(f"{group}.{name}: unknown column {', '.join(sorted(unknown))}")
    if name not in contract.rpcs:
        raise ValueError(f"{group}.{name}: protocol/proto has no such RPC")
    rpc, role = contract.rpcs[name], _role(group, name, row.get("role", ""))
    request = contract.messages[rpc.request]
    flags, aliases = row.get("flags", []), row.get("names", {})
    reader = Reader(contract, noun, aliases, row.get("default", {}), [*row.get("left_out", []), *flags])
    arguments = reader.arguments(request)
    called = not row.get("server_only", False)
    chosen = [each for each in request.arms() if not is_bound(request.arms(each.oneof))]
    # Do not read the fields of an arm that only a form chooses, or that our clients never send. Such an arm may have
    # fields that the table does not support.
    simple = called and "forms" not in row
    arms = [reader.arm(request, each) if simple else Arm(each.name, each.number, None) for each in chosen]
    forms = [_form(reader, request, row, form, said) for form, said in row.get("forms", {}).items()]
    if any("." in form.arm and _role(group, form.name, form.role) != role for form in forms):
        raise ValueError(
            f"{group}.{name}: a form with its own role must use an arm that is a direct member of the request's oneof"
        )
    methods = [_method(arguments, arms, each, said) for each, said in row.get("methods", {}).items()]
    if not methods and called:
        methods = [method(names.camel(name), rpc.doc, arguments)]
    return Operation(
        name=rpc.name,
        rpc=rpc,
        group=group,
        role=role,
        cost=_cost(group, name, row.get("cost", "")),
        pipeline=row.get("pipeline", 0),
        idempotent=row.get("idempotent", False),
        hot=row.get("hot", False),
        hand=frozenset(row.get("hand", [])),
        server_only=not called,
        gateway=_gateway(name, row.get("gateway", True)),
        names=row.get("operations", [*row.get("forms", [])] or [names.camel(name)]) if called else [],
        arguments=arguments,
        flags=[each.number for each in request.fields if each.name in flags],
        oneof=next((each.oneof for each in chosen), ""),
        arms=arms,
        methods=methods,
        forms=forms,
        body=None,
        cases=answer.cases(contract, rpc, cases, aliases, row.get("branch", "")),
        has_list=contract.has_list(request),
        aliases={language: row.get(language, {}) for language in ("dotnet", "python")},
    )


def _role(group: str, name: str, role: str) -> str:
    if role not in _ROLES:
        raise ValueError(f"{group}.{name}: the role must be one of {', '.join(_ROLES)}")
    return role


def _gateway(name: str, given: bool | str) -> str:
    """Return the expression that creates the call of a gateway; empty if a gateway does not support it."""
    if given is True:
        return f"Remote{name}()"
    return given or ""


def _cost(group: str, name: str, cost: str) -> str:
    if cost not in _COSTS:
        raise ValueError(f"{group}.{name}: the cost must be one of {', '.join(_COSTS)}")
    return cost


def _form(reader: Reader, request: proto.Message, row: dict[str, Any], name: str, said: dict[str, Any]) -> Form:
    more, body = reader.body(request, said["arm"])
    idempotent = said.get("idempotent", row.get("idempotent", False))
    role = said.get("role", row.get("role", ""))
    return Form(name, said["arm"], said["doc"], idempotent, role, [*reader.arguments(request), *more], body)


def _method(arguments: list[Any], arms: list[Arm], name: str, said: dict[str, str]) -> Method:
    chosen = next((each for each in arms if each.name == said["arm"]), None)
    if chosen is None:
        raise ValueError(f"{name}: unknown oneof member {said['arm']}")
    return method(name, said["doc"], arguments, chosen)
