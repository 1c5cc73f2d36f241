"""Access rights: the role that each call needs, the fields that name keys, and the clients' names of the calls."""

from __future__ import annotations

import json
from pathlib import Path

import names
import page
import proto
from shapes import Operation, Table

_FILE = "server/src/Larder.Server/Generated/CallPolicies.cs"
_ROLES = "protocol/roles.json"
_NEEDS = {"open": "None", "read": "Read", "write": "Write", "readwrite": "ReadWrite", "admin": "Admin"}

# The requests of calls on topics. They contain the cache and the topic as fields. These calls need a grant for
# topics.
_OF_TOPICS = ("PublishRequest", "SubscribeRequest")


def outputs(table: Table, root: Path) -> dict[str, str]:
    contract = proto.read(root / "protocol" / "proto")
    rows = "".join(_row(contract, each) for each in table.operations)
    return {
        _ROLES: _roles(table),
        _FILE: f"""// {page.WRITTEN}
namespace Larder.Server.Security;

/// <summary>The rights that each call needs.</summary>
internal static class CallPolicies
{{
    /// <summary>All RPCs of the table of operations.</summary>
    public static readonly IReadOnlyList<CallPolicy> All =
    [
{rows}    ];
}}
""",
    }


def _roles(table: Table) -> str:
    """Return the clients' calls in the table's order.

    A form may have a separate role. Calls on topics need a role for topics.
    """
    rows = []
    # Omit calls that not every store supports yet, because the server's own tests cover them.
    for operation in (each for each in table.operations if each.group != "topics" and each.gateway):
        own = {form.name: form.role for form in operation.forms}
        called = [method.name for method in operation.methods if method.arm] or operation.names
        # A stream that clients open in handwritten code has no client method in the table, so use the name of the rpc.
        called = called or ([names.camel(operation.name)] if operation.rpc.streams else [])
        of = "topics" if operation.group == "topics" else "items"
        rows += [
            {"op": name, "rpc": operation.name, "role": own.get(name, operation.role), "of": of} for name in called
        ]
    lines = ",\n".join(json.dumps(row) for row in rows)
    return f'{{"about": {json.dumps(page.WRITTEN)}, "calls": [\n{lines}\n]}}\n'


def _row(contract: proto.Contract, operation: Operation) -> str:
    words = [f'"{operation.rpc.path}"', str(operation.pipeline), f"Rights.{_NEEDS[operation.role]}"]
    keys = _keys(contract, contract.messages[operation.rpc.request]) if operation.is_scoped else []
    if operation.pipeline and not keys:
        raise ValueError(
            f"{operation.name}: the request has no key to check against a token's prefix; "
            "rename the field with the key to 'key', 'keys' or 'name'"
        )
    words.append(f"[{', '.join(f'new({field}, {within})' for field, within in keys)}]")
    for form in operation.forms:
        if form.role != operation.role:
            arm = next(each for each in contract.messages[operation.rpc.request].fields if each.name == form.arm)
            words += [str(arm.number), f"Rights.{_NEEDS[form.role]}"]
    topics = " { IsOfTopics = true }" if operation.rpc.request in _OF_TOPICS else ""
    return f"        new({', '.join(words)}){topics},\n"


def _keys(contract: proto.Contract, message: proto.Message) -> list[tuple[int, int]]:
    """Return the fields that name keys: the field's number, and the number within it (0: the field itself)."""
    found = []
    for field in message.fields:
        if _names_key(field):
            found.append((field.number, 0))
        elif field.repeated and (field.kind in message.nested or field.kind in contract.messages):
            inner = contract.message(field.kind, message)
            found += [(field.number, each.number) for each in inner.fields if _names_key(each)]
    return found


def _names_key(field: proto.Field) -> bool:
    return field.kind == "bytes" and field.name in ("key", "keys", "name")
