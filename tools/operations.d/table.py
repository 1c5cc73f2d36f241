"""The table of operations: protocol/operations.toml and the messages, joined."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import names
import proto
import tomllib

# What a field is where its comment does not say.
_DOCS = {
    "key": "The key: at least one byte.",
    "value": "The value.",
    "name": "The cache's name.",
}
_TTL = "Time to live, over 0 and at most 365 days, or what the server allows; null: the client's default."
_NEW_TTL = "The new time to live: over 0, at most 365 days, or what the server allows."
_COLUMNS = {
    "pipeline",
    "idempotent",
    "hand",
    "server_only",
    "operations",
    "methods",
    "default",
    "left_out",
    "names",
    "dotnet",
    "python",
}


@dataclass(frozen=True)
class Parameter:
    """What a caller gives. `kind` is the field's; for times to live "ttl" (it may be left out) or "new_ttl"."""

    name: str
    kind: str
    repeated: bool
    doc: str
    default: Any = None

    @property
    def is_optional(self) -> bool:
        return self.default is not None or self.kind == "ttl"


@dataclass(frozen=True)
class Argument:
    """A field of the request outside its oneof: its number, and what callers give for it."""

    number: int
    parameter: Parameter


@dataclass(frozen=True)
class Arm:
    """One choice of the request's oneof: what is compared with, if anything."""

    name: str
    number: int
    parameter: Parameter | None


@dataclass(frozen=True)
class Method:
    """What clients call: an operation with its arm chosen."""

    name: str
    doc: str
    arm: Arm | None
    parameters: list[Parameter]


@dataclass(frozen=True)
class Value:
    """What a case of an answer carries."""

    name: str
    kind: str
    number: int
    repeated: bool
    doc: str


@dataclass(frozen=True)
class Case:
    """One way that a call ends well. `number` is its field in the answer's oneof; 0 where the answer is the case."""

    name: str
    number: int
    doc: str
    values: list[Value]


@dataclass(frozen=True)
class Operation:
    """A row of the table, with its messages."""

    rpc: proto.Rpc
    group: str
    pipeline: int
    idempotent: bool
    hand: frozenset[str]
    server_only: bool
    names: list[str]
    arguments: list[Argument]
    oneof: str
    arms: list[Arm]
    methods: list[Method]
    cases: list[Case]
    aliases: dict[str, dict[str, str]]

    @property
    def name(self) -> str:
        return self.rpc.name

    @property
    def is_scoped(self) -> bool:
        """Whether the call names a cache in its metadata."""
        return self.rpc.service == "cache_client.Scs"

    @property
    def payload(self) -> Parameter | None:
        """What the arms that carry something carry: the same in each."""
        return next((arm.parameter for arm in self.arms if arm.parameter), None)

    def case_name(self, language: str, case: Case) -> str:
        return self.aliases[language].get(case.name, case.name)


@dataclass(frozen=True)
class Group:
    """Operations that belong together: in one file of each client."""

    name: str
    doc: str
    operations: list[Operation]


@dataclass(frozen=True)
class Table:
    groups: list[Group]

    @property
    def operations(self) -> list[Operation]:
        return [operation for group in self.groups for operation in group.operations]

    @property
    def pipelined(self) -> list[Operation]:
        return sorted((each for each in self.operations if each.pipeline), key=lambda each: each.pipeline)


def read(root: Path) -> Table:
    """The table of a checkout. Raises ValueError with what is wrong in it."""
    contract = proto.read(root / "protocol" / "proto")
    written = tomllib.loads((root / "protocol" / "operations.toml").read_text())
    groups = [_group(contract, name, columns) for name, columns in written.items()]
    table = Table(groups)
    named = [operation.name for operation in table.operations]
    told = set(named)
    if twice := sorted(name for name in told if named.count(name) > 1):
        raise ValueError(f"operations.toml has {', '.join(twice)} twice")
    called = {rpc.name for rpc in contract.rpcs.values() if not rpc.service.endswith(".Pipeline")}
    if told != called:
        raise ValueError(f"operations.toml and proto/ differ in {', '.join(sorted(told ^ called))}")
    fields = [each.pipeline for each in table.pipelined]
    taken = {number for number in fields if fields.count(number) > 1 or number < 4 or number == 7}
    if taken:
        raise ValueError(
            f"pipeline {', '.join(map(str, sorted(taken)))} is taken; the next free one is {max(fields) + 1}"
        )
    return table


def _group(contract: proto.Contract, name: str, columns: dict[str, Any]) -> Group:
    rows = [(rpc, row) for rpc, row in columns.items() if rpc != "doc"]
    return Group(name, columns["doc"], [_operation(contract, name, rpc, row) for rpc, row in rows])


def _operation(contract: proto.Contract, group: str, name: str, row: dict[str, Any]) -> Operation:
    if unknown := set(row) - _COLUMNS:
        raise ValueError(f"{group}.{name} has no column {', '.join(sorted(unknown))}")
    if name not in contract.rpcs:
        raise ValueError(f"{group}.{name} is no rpc of proto/")
    rpc = contract.rpcs[name]
    request = contract.messages[rpc.request]
    defaults = row.get("default", {})
    given = [each for each in request.plain if each.name not in row.get("left_out", [])]
    arguments = [Argument(each.number, _parameter(each, defaults)) for each in given]
    arms = [_arm(contract, request, each, row.get("names", {})) for each in request.arms()]
    methods = [
        _method(contract, arguments, arms, method, said["arm"], said["doc"])
        for method, said in row.get("methods", {}).items()
    ]
    if not methods and not row.get("server_only"):
        methods = [_method(contract, arguments, [], names.camel(name), "", rpc.doc)]
    return Operation(
        rpc=rpc,
        group=group,
        pipeline=row.get("pipeline", 0),
        idempotent=row.get("idempotent", False),
        hand=frozenset(row.get("hand", [])),
        server_only=row.get("server_only", False),
        names=[] if row.get("server_only") else row.get("operations", [names.camel(name)]),
        arguments=arguments,
        oneof=next((each.oneof for each in request.arms()), ""),
        arms=arms,
        methods=methods,
        cases=_cases(contract, rpc, row.get("names", {})),
        aliases={language: row.get(language, {}) for language in ("dotnet", "python")},
    )


def _parameter(field: proto.Field, defaults: dict[str, Any]) -> Parameter:
    if field.name == "ttl_ms":
        return Parameter("ttl", "ttl", False, _TTL)
    return Parameter(
        field.name, field.kind, field.repeated, field.doc or _DOCS.get(field.name, ""), defaults.get(field.name)
    )


def _arm(contract: proto.Contract, request: proto.Message, field: proto.Field, aliases: dict[str, str]) -> Arm:
    if field.kind == "uint64" and field.name.endswith("_ms"):
        return Arm(field.name, field.number, Parameter("ttl", "new_ttl", False, _NEW_TTL))
    message = contract.message(field.kind, request)
    if not message.fields:
        return Arm(field.name, field.number, None)
    (inner,) = message.fields
    name = names.snake(message.name) if inner.name == "value" else inner.name
    return Arm(field.name, field.number, Parameter(aliases.get(name, name), inner.kind, inner.repeated, inner.doc))


def _method(
    contract: proto.Contract, arguments: list[Argument], arms: list[Arm], name: str, arm: str, doc: str
) -> Method:
    chosen = next((each for each in arms if each.name == arm), None)
    if arm and chosen is None:
        raise ValueError(f"{name}: there is no arm {arm}")
    parameters = [argument.parameter for argument in arguments]
    if chosen and chosen.parameter:
        parameters.append(chosen.parameter)
    # What may be left out comes last.
    return Method(name, doc, chosen, sorted(parameters, key=lambda each: each.is_optional))


def _cases(contract: proto.Contract, rpc: proto.Rpc, aliases: dict[str, str]) -> list[Case]:
    response = contract.messages[rpc.response]
    if not response.arms():
        return [Case("success", 0, response.doc, _values(response, aliases))]
    return [
        Case(arm.name, arm.number, arm.doc, _values(contract.message(arm.kind, response), aliases))
        for arm in response.arms()
    ]


def _values(message: proto.Message, aliases: dict[str, str]) -> list[Value]:
    return [
        Value(aliases.get(each.name, each.name), each.kind, each.number, each.repeated, each.doc)
        for each in message.fields
    ]
