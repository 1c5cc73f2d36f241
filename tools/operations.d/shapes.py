"""The data model of the table of operations, shared by all writers."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import proto

# The kinds that consist of a TTL and a flag that refreshes the TTL. If the argument is omitted, "collection_ttl" means
# the client's default TTL, and "kept_ttl" does not change the TTL.
COLLECTION_TTLS = ("collection_ttl", "kept_ttl")


@dataclass(frozen=True)
class Part:
    """A field of the messages that a list contains."""

    name: str
    kind: str
    number: int
    doc: str


@dataclass(frozen=True)
class Parameter:
    """A parameter of a call. `kind` is the field's type, or one of these kinds that combine several fields:

    - "ttl" (optional) and "new_ttl": a TTL;
    - "collection_ttl" and "kept_ttl": a collection's TTL, and whether it is refreshed;
    - "index" and "score_bound": one end of a range, which is unbounded if the argument is omitted;
    - for a list of messages, the type's name (see `parts`); for an enum, the type's name (see `choices`).
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
        """Return whether the parameter is an item's key. The key of a collection is its name."""
        return self.name == "key" or (self.name == "name" and self.kind == "bytes")


@dataclass(frozen=True)
class Argument:
    """A field of a message with its parameter, and the numbers of related fields.

    The number of a field that does not exist is 0.
    `refresh` is the bool next to a TTL. `unbounded` is the empty message for an omitted end of a range.
    `exclusive` is a score that is excluded. If `exclusive` is 0, `number` is a message with a score and a bool.
    """

    number: int
    parameter: Parameter
    refresh: int = 0
    unbounded: int = 0
    exclusive: int = 0


@dataclass(frozen=True)
class Arm:
    """One arm of the request's oneof, with the parameter for the arm's payload, if any."""

    name: str
    number: int
    parameter: Parameter | None


@dataclass(frozen=True)
class Body:
    """The chosen arm of a form: the nested messages that `path` leads to, and their fields."""

    name: str
    path: tuple[int, ...]
    arguments: list[Argument]


@dataclass(frozen=True)
class Method:
    """A method of the clients: an operation with a chosen arm."""

    name: str
    doc: str
    arm: Arm | None
    parameters: list[Parameter]


@dataclass(frozen=True)
class Value:
    """A value of a response's case. `parts` are the fields of the messages that a list contains.

    `result` is the number of the field that indicates whether a message of the list has a value.
    """

    name: str
    kind: str
    number: int
    repeated: bool
    doc: str
    parts: tuple[Part, ...] = ()
    result: int = 0


@dataclass(frozen=True)
class Case:
    """A successful outcome of a call. `number` is its field in the response's oneof; 0 if the response has no oneof.

    `within` is the number of the field in the case's message that contains the values; 0 if the message itself contains
    them. `result` is the number of the field that determines the outcome; 0 if there is no such field. If the field's
    value is Miss, the outcome is the last case instead of this case.
    """

    name: str
    number: int
    doc: str
    values: list[Value]
    within: int = 0
    result: int = 0


@dataclass(frozen=True)
class Form:
    """A separate client operation for one alternative of the request's `oneof`, with its own idempotency and role."""

    name: str
    arm: str
    doc: str
    idempotent: bool
    role: str
    arguments: list[Argument]
    body: Body | None


@dataclass(frozen=True)
class Operation:
    """A row of the table with its messages, or one of its forms.

    `has_list` is whether the request, or a message in it, has a repeated field.
    """

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
    has_list: bool
    aliases: dict[str, dict[str, str]]

    @property
    def response(self) -> str:
        """Return the name of the response, which the forms of a row share."""
        return f"{self.rpc.name}Response"

    @property
    def is_scoped(self) -> bool:
        """Return whether the call names a cache in its metadata."""
        return self.rpc.service in ("cache_client.Scs", "larder.v1.Extras")

    @property
    def payload(self) -> Parameter | None:
        """Return the payload of the arms. All arms that have a payload have the same payload."""
        return next((arm.parameter for arm in self.arms if arm.parameter), None)

    @property
    def each(self) -> tuple[Argument, Value] | None:
        """Return the lists of the request and the response, if the response has one part per requested item."""
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
        """Return the item's key if the call is on one item."""
        return next((each.parameter for each in self.arguments if each.parameter.is_key), None)


@dataclass(frozen=True)
class Group:
    """A group of related operations. Each client has one file for the group."""

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
        """Return one operation for each response type, with the methods of all operations that share it."""
        return [
            replace(
                each, methods=[method for other in self.operations if other.rpc == each.rpc for method in other.methods]
            )
            for each in self.operations
            if each is next(other for other in self.operations if other.rpc == each.rpc)
        ]

    def of_clients(self, lacked: tuple[str, ...]) -> Table:
        """Return the table for a client.

        Omits the groups that the client does not support. Each form is an operation.
        """
        return Table([_called(group) for group in self.groups if group.name not in lacked])


def method(name: str, doc: str, arguments: list[Argument], arm: Arm | None = None) -> Method:
    parameters = [argument.parameter for argument in arguments]
    if arm and arm.parameter:
        parameters.append(arm.parameter)
    # Optional parameters are last, and a collection's TTL follows the other optional parameters.
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
