"""The Python form of the table's names, kinds and docs."""

from __future__ import annotations

import re
import textwrap

import names
import page
from shapes import COLLECTION_TTLS, Case, Group, Method, Operation, Parameter, Value

PACKAGE = "clients/python/larder_cache"
INTERNAL = f"{PACKAGE}/_internal"
# The groups of the table that the client does not support yet.
LACKS: tuple[str, ...] = ()

_TYPES = {
    "bytes": "bytes",
    "string": "str",
    "bool": "bool",
    "int64": "int",
    "uint64": "int",
    "uint32": "int",
    "sint32": "int",
    "double": "float",
    "index": "int | None",
    "score_bound": "AnyBound | None",
    "ttl": "Ttl | None",
    "new_ttl": "Ttl",
}
# The types of lists of messages in parameters and in responses.
_GIVEN = {
    "DictionaryItem": "DictionaryItems",
    "SortedSetElement": "ScoredElements",
    "ListRange": "ListRanges",
    "SortedSetSource": "SortedSetSources",
}
_ANSWERED = {"DictionaryItem": "DictionaryField", "SortedSetElement": "ScoredElement", "ItemType": "ItemType"}
OPERATIONS = "larder_cache._internal.operations"
# The module of each name that a text may use, in the order of the imports.
_IMPORTED = {
    "Iterable": "collections.abc",
    "Any": "typing",
    "r": "larder_cache",
    "CacheCalls": "larder_cache._internal.client.cache_calls",
    **dict.fromkeys(("codec", "wire"), OPERATIONS),
    "op": f"{OPERATIONS}._generated",
    **dict.fromkeys(("Key", "Value", "to_bytes", "to_int64", "to_key", "to_ttl_ms"), f"{OPERATIONS}.arguments"),
    **dict.fromkeys(_GIVEN.values(), f"{OPERATIONS}.collection_fields"),
    "AnyTtl": "larder_cache.collection_ttl",
    "AnyBound": "larder_cache.score_bound",
    **dict.fromkeys(("SortedSetAggregate", "SortedSetOrder"), "larder_cache.sorted_set_options"),
    "Ttl": "larder_cache.ttl",
}
_CALLED = {"codec": "pipeline_codec", "op": "operations", "r": "responses", "wire": "collection_fields"}
# The classes of cases without values. They are the same in every operation.
SHARED = {"success": "Success", "stored": "Stored", "not_stored": "NotStored", "missing": "Missing", "miss": "Miss"}


def doc(text: str) -> str:
    """Return a sentence with its {references} in Python form."""
    said = re.sub(
        r"\{(\w+)\}", lambda found: names.snake(found[1]).upper() if found[1][0].isupper() else f"`{found[1]}`", text
    )
    return re.sub(r"\bnull(?=[:,])", "None", said)


def is_collection(group: Group) -> bool:
    """Return whether a group's calls are on a collection; such groups have their own file."""
    return any(map(is_of_collection, group.operations))


def is_of_collection(operation: Operation) -> bool:
    """Return whether a call is on a collection of its group. A scan of any collection is handwritten."""
    return "methods" not in operation.hand and operation.key is not None and operation.key.name == "name"


def imports(text: str) -> str:
    """Return the imports of the names in a text, in isort's order."""
    words = set(re.findall(r"\w+", text))
    named = [(module, name) for name, module in _IMPORTED.items() if name in words]
    lines: dict[str, list[str]] = {}
    for module, name in named:
        lines.setdefault(module, []).append(f"{_CALLED[name]} as {name}" if name in _CALLED else name)
    told = [
        f"from {module} import {each}\n"
        for module, found in lines.items()
        for each in (sorted(found) if " as " in found[0] else [", ".join(sorted(found, key=_isorted))])
    ]
    own = "".join(each for each in told if each.startswith("from larder_cache"))
    return "\n".join(filter(None, ["".join(each for each in told if not each.startswith("from larder_cache")), own]))


def _isorted(name: str) -> tuple[int, str]:
    """Return a sort key: constants first, then classes, then functions."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2, name)


# The first sentence of a method's docstring is a command: "Remove it and return it", not "Removes it and returns it".
_IMPERATIVE = re.compile(
    r"^(Add|Change|Check|Create|Delete|Get|Invalidate|Keep|List|Release|Remove|Replace|Store)s(?= )"
)
_SECOND_VERB = re.compile(r"\b(and|or) (keep|remove|replace|return|subtract)s(?= )")


def imperative(text: str) -> str:
    """Return a text whose first sentence is a command. A text that does not begin with a verb is returned unchanged."""
    first, dot, rest = text.partition(". ")
    first, count = _IMPERATIVE.subn(r"\1", first)
    return (_SECOND_VERB.sub(r"\1 \2", first) if count else first) + dot + rest


def docstring(text: str, more: list[str], indent: int) -> str:
    """Return a docstring with wrapped paragraphs."""
    text = imperative(text)
    space = " " * indent
    if not more and len(space) + len(text) + 6 <= page.WIDTH["py"]:
        return f'{space}"""{text}"""\n'
    first, *rest = textwrap.wrap(text, page.WIDTH["py"] - indent - 3)
    if not rest and not more:
        # Wrap earlier if only the closing quotes exceed the line, because they must not be alone on the line after a
        # single line of text.
        first, *rest = textwrap.wrap(text, page.WIDTH["py"] - indent - 6)
    lines = [f'"""{first}', *rest]
    for each in more:
        lines += ["", *textwrap.wrap(each, page.WIDTH["py"] - indent)]
    return "".join(f"{space}{line}".rstrip() + "\n" for line in lines) + f'{space}"""\n'


def case_class(operation: Operation, case: Case) -> str:
    if case.name in operation.aliases["python"]:
        return operation.aliases["python"][case.name]
    if not case.values and case.name in SHARED:
        return SHARED[case.name]
    return f"{operation.rpc.name}{names.pascal(case.name)}"


def constant(operation: Operation, case: Case) -> str:
    return names.snake(case_class(operation, case)).upper()


def parameter_type(parameter: Parameter) -> str:
    if parameter.is_key:
        return "Key"
    if parameter.name == "name":
        return "str"
    if parameter.kind in COLLECTION_TTLS:
        return "AnyTtl | None"
    if parameter.parts:
        return _GIVEN[parameter.kind]
    # A field name accepts the same types as a key.
    of_bytes = "Key" if parameter.name in ("field", "fields") else "bytes" if parameter.name == "hash" else "Value"
    one = of_bytes if parameter.kind == "bytes" else _TYPES.get(parameter.kind, parameter.kind)
    return f"Iterable[{one}]" if parameter.repeated else one


def value_type(value: Value) -> str:
    one = _ANSWERED.get(value.kind) or _TYPES[value.kind]
    if value.result:
        one += " | None"
    return f"list[{one}]" if value.repeated else one


def signature(operation: Operation, method: Method, head: list[str]) -> list[str]:
    """Return a method's parameters. Optional parameters are keyword-only, except a number with the default 1."""
    given, named = list(head), []
    for each in method.parameters:
        text = f"{each.name}: {parameter_type(each)}"
        if not each.is_optional:
            given.append(text)
        elif each.default == 1 and each.kind != "bool":
            given.append(f"{text} = {each.default}")
        else:
            named.append(f"{text} = {default_of(each)}")
    return given + (["*", *named] if named else [])


def default_of(parameter: Parameter) -> str:
    """Return the default of an optional parameter.

    For a TTL, the default None means the client's default or no change.
    """
    if parameter.choices:
        return f"{parameter.kind}.{parameter.default}"
    return "None" if parameter.kind in COLLECTION_TTLS else str(parameter.default)


def defined(head: str, items: list[str], tail: str, indent: int = 4) -> str:
    """Return `head(items)tail` as black formats it."""
    space = " " * indent
    line = f"{space}{head}({', '.join(items)}){tail}"
    if len(line) <= page.WIDTH["py"]:
        return line + "\n"
    line = f"{space}    {', '.join(items)}"
    if len(line) <= page.WIDTH["py"]:
        return f"{space}{head}(\n{line}\n{space}){tail}\n"
    inner = "".join(f"{space}    {item},\n" for item in items)
    return f"{space}{head}(\n{inner}{space}){tail}\n"
