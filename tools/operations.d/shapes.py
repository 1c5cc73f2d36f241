"""What the table of operations holds, as every writer reads it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import proto

# Both travel as a time to live and whether it is refreshed: left out, the first is the client's default, the other
# changes nothing.
COLLECTION_TTLS = ("collection_ttl", "kept_ttl")


@dataclass(frozen=True)
class Part:
    """A field of the messages in a list."""

    name: str
    kind: str
    number: int
    doc: str


@dataclass(frozen=True)
class Parameter:
    """What a caller gives. `kind` is the field's type, or what several fields are to a caller:

    - "ttl" (it may be left out) and "new_ttl": a time to live;
    - "collection_ttl" and "kept_ttl": a collection's time to live, and whether it is refreshed;
    - "index" and "score_bound": where a range begins or ends; left out: unbounded;
    - of a list of messages their type's name, with its `parts`; of an enum its name, with its `choices`.
    """

    name: str
    kind: str
    repeated: bool
    doc: str
    default: Any = None
    parts: tuple[Part, ...] = ()
    choices: dict[str, int] = field(default_factory=dict)

    @property
    def is_optional(self) -> bool:
        return self.default is not None or self.kind in ("ttl", "index", "score_bound", *COLLECTION_TTLS)

    @property
    def is_key(self) -> bool:
        """Whether it is an item's key: a collection's is called its name."""
        return self.name == "key" or (self.name == "name" and self.kind == "bytes")


@dataclass(frozen=True)
class Argument:
    """A field of a message, and what callers give for it; with the other fields that say it too, 0 where there is none.

    `refresh`: a bool beside a time to live. `unbounded`: the empty message where a range's end is left out.
    `exclusive`: a score that is left out itself; 0: `number` is a message of a score and a bool.
    """

    number: int
    parameter: Parameter
    refresh: int = 0
    unbounded: int = 0
    exclusive: int = 0


@dataclass(frozen=True)
class Arm:
    """One choice of the request's oneof: what is compared with, if anything."""

    name: str
    number: int
    parameter: Parameter | None


@dataclass(frozen=True)
class Body:
    """The chosen arm of a form: the message within messages that `path` leads to, and what it holds."""

    name: str
    path: tuple[int, ...]
    arguments: list[Argument]


@dataclass(frozen=True)
class Method:
    """What clients call: an operation with its arm chosen."""

    name: str
    doc: str
    arm: Arm | None
    parameters: list[Parameter]


@dataclass(frozen=True)
class Value:
    """What a case of an answer carries. `parts`: of a list of messages. `result`: it is a list of messages whose
    field of that number says whether there is a value at all."""

    name: str
    kind: str
    number: int
    repeated: bool
    doc: str
    parts: tuple[Part, ...] = ()
    result: int = 0


@dataclass(frozen=True)
class Case:
    """One way that a call ends well. `number` is its field in the answer's oneof; 0 where the answer is the case.

    `within`: the field of its message that holds the values; 0: the message itself.
    `result`: the field that says whether it is this case; where it says Miss, it is the last one of the answer's.
    """

    name: str
    number: int
    doc: str
    values: list[Value]
    within: int = 0
    result: int = 0


@dataclass(frozen=True)
class Form:
    """An operation that clients make of a row: an arm of its request, whether it may be sent again, who may call it."""

    name: str
    arm: str
    doc: str
    idempotent: bool
    role: str
    arguments: list[Argument]
    body: Body | None


@dataclass(frozen=True)
class Operation:
    """A row of the table, with its messages; or one of its forms."""

    name: str
    rpc: proto.Rpc
    group: str
    role: str
    cost: str
    pipeline: int
    idempotent: bool
    hot: bool
    hand: frozenset[str]
    server_only: bool
    gateway: str
    names: list[str]
    arguments: list[Argument]
    flags: list[int]
    oneof: str
    arms: list[Arm]
    methods: list[Method]
    forms: list[Form]
    body: Body | None
    cases: list[Case]
    aliases: dict[str, dict[str, str]]

    @property
    def response(self) -> str:
        """The answers' name, which a row's forms share."""
        return f"{self.rpc.name}Response"

    @property
    def is_scoped(self) -> bool:
        """Whether the call names a cache in its metadata."""
        return self.rpc.service in ("cache_client.Scs", "larder.v1.Extras")

    @property
    def payload(self) -> Parameter | None:
        """What the arms that carry something carry: the same in each."""
        return next((arm.parameter for arm in self.arms if arm.parameter), None)

    @property
    def each(self) -> tuple[Argument, Value] | None:
        """Where the answer has a part for each of a list that was asked for: that list, and those parts."""
        lists = [argument for argument in self.arguments if argument.parameter.repeated]
        parts = [
            value
            for case in self.cases
            for value in case.values
            if value.repeated and (value.result or value.kind == "bool")
        ]
        return (lists[0], parts[0]) if lists and parts else None

    @property
    def key(self) -> Parameter | None:
        """The item's key, where the call is on one item."""
        return next((each.parameter for each in self.arguments if each.parameter.is_key), None)

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

    @property
    def answered(self) -> list[Operation]:
        """One operation for each kind of answers, with the methods of all that share it."""
        return [
            replace(
                each, methods=[method for other in self.operations if other.rpc == each.rpc for method in other.methods]
            )
            for each in self.operations
            if each is next(other for other in self.operations if other.rpc == each.rpc)
        ]

    def of_clients(self, lacked: tuple[str, ...]) -> Table:
        """The table as a client's writers read it, without the groups that it lacks: each form is an operation."""
        return Table([_called(group) for group in self.groups if group.name not in lacked])


def method(name: str, doc: str, arguments: list[Argument], arm: Arm | None = None) -> Method:
    parameters = [argument.parameter for argument in arguments]
    if arm and arm.parameter:
        parameters.append(arm.parameter)
    # What may be left out comes last, and of that a collection's time to live.
    return Method(name, doc, arm, sorted(parameters, key=lambda each: (each.is_optional, each.kind in COLLECTION_TTLS)))


def _called(group: Group) -> Group:
    rows = [row for row in group.operations if not row.server_only]
    return replace(
        group, operations=[each for row in rows for each in [_form(row, form) for form in row.forms] or [row]]
    )


def _form(row: Operation, form: Form) -> Operation:
    given = [*form.arguments, *(form.body.arguments if form.body else [])]
    return replace(
        row,
        name=form.name[0].upper() + form.name[1:],
        idempotent=form.idempotent,
        names=[form.name],
        arguments=form.arguments,
        oneof="",
        arms=[],
        methods=[method(form.name, form.doc, given)],
        body=form.body,
    )
