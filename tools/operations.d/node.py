"""The TypeScript form of the table's names, kinds and docs, formatted as Biome does."""

from __future__ import annotations

import re

import names
import page
from shapes import COLLECTION_TTLS, Case, Group, Method, Operation, Parameter, Value

HEAD = f"// {page.WRITTEN}\n"
SOURCES = "clients/node/src"
# The folder of files that are generated completely.
GENERATED = f"{SOURCES}/operations/_generated"
# The folders of the modules that these files import.
_FOLDERS = {
    "cache-calls": "calls",
    "client-options": "client",
    "hit": "client",
    "responses": "client",
    "validation": "client",
    "collection-responses": "collections",
    "collection-arguments": "collections",
    "collection-fields": "collections",
    "collection-hits": "collections",
    "collection-ttl": "collections",
    "score-bound": "collections",
    "response-fields": "operations",
    "operation": "operations",
    "proto-reader": "operations",
    "proto-writer": "operations",
}
# The groups of the table that the client does not support yet.
LACKS: tuple[str, ...] = ()

# The results of all calls use six names. This table maps the other case names of the protocol to these names.
_RESULTS = {"found": "hit", "missing": "miss", "set": "stored", "not_set": "not_stored", "different": "not_stored"}
# The results without values. Each of them is one shared object (responses.ts).
SHARED = ("miss", "notStored", "stored", "success")
# The handwritten classes of hits that contain bytes (collection-hits.ts, hit.ts). The class of a hit depends on the
# hit's values: their names, their types, and whether they are lists.
HASH_HIT = "HashHit"
_HITS = {
    (("value", "bytes", False), ("hash", "bytes", False)): HASH_HIT,
    (("elements", "bytes", True),): "ElementsHit",
    (("values", "bytes", True),): "ValuesHit",
    (("items", "DictionaryItem", True),): "ItemsHit",
    (("elements", "SortedSetElement", True),): "ScoredElementsHit",
    (("value", "bytes", False), ("length", "uint32", False)): "PoppedHit",
}
# The class of a hit that has one optional value for each requested field.
_PARTS_HIT = "FieldsHit"
HITS = tuple(each for each in (*_HITS.values(), _PARTS_HIT) if each != HASH_HIT)
_TYPES = {
    "bytes": "Bytes",
    "string": "string",
    "bool": "boolean",
    "int64": "number | bigint",
    "uint64": "number",
    "uint32": "number",
    "sint32": "number",
    "double": "number",
    "index": "number",
    "score_bound": "ScoreBound | number",
    "new_ttl": "number",
}
_LISTS = {
    "bytes": "Iterable<Bytes>",
    "DictionaryItem": "DictionaryItems",
    "SortedSetElement": "SortedSetElements",
    "ListRange": "Iterable<ListRange>",
    "SortedSetSource": "SortedSetSources",
}
_VALUES = {
    "bytes": "Buffer",
    "string": "string",
    "bool": "boolean",
    "int64": "bigint",
    "uint64": "number",
    "uint32": "number",
    "double": "number",
    "ItemType": "ItemType",
}


def doc(text: str) -> str:
    """Return a sentence with its {references} in TypeScript form."""
    return re.sub(r"\{(\w+)\}", lambda found: f"`{'ttlMs' if found[1] == 'ttl' else found[1]}`", text)


def by_hand(operation: Operation) -> bool:
    """Return whether an operation is handwritten.

    Handwritten operations are get and set, because they are performance-critical, and batches.
    """
    return "methods" in operation.hand or {"codec", "server"} <= operation.hand


def is_collection(group: Group) -> bool:
    """Return whether the calls of a group are on collections.

    The key of a collection is the parameter `name`. Handwritten calls, such as scans, are not considered.
    """
    return any(each.key and each.key.name == "name" and not by_hand(each) for each in group.operations)


def kebab(group: Group) -> str:
    """Return the file name prefix of a group: sorted_sets are in sorted-set-….ts."""
    return names.kebab(_one(group.name))


def pascal(group: Group) -> str:
    return names.pascal(_one(group.name))


def _one(plural: str) -> str:
    return f"{plural.removesuffix('ies')}y" if plural.endswith("ies") else plural.removesuffix("s")


def is_option(parameter: Parameter) -> bool:
    """Return whether a parameter is a named option.

    Optional parameters are named options, except a step with the default 1.
    """
    return parameter.is_optional and parameter.default != 1


def parameters(operation: Operation, method: Method) -> list[Parameter]:
    """Return the positional parameters."""
    return [each for each in method.parameters if not is_option(each)]


def own_options(method: Method) -> list[Parameter]:
    """Return the named options that not all calls of this kind have."""
    return [each for each in method.parameters if is_option(each) and each.kind not in ("ttl", *COLLECTION_TTLS)]


def declared(operation: Operation, method: Method) -> list[str]:
    items = []
    for each in parameters(operation, method):
        default = "" if each.default is None else f" = {each.default:g}"
        items.append(f"{parameter_name(each)}: {argument_type(each)}{default}")
    return [*items, f"options?: {options(operation, method)}"]


def argument_type(parameter: Parameter) -> str:
    """Return the type that a caller passes."""
    if parameter.choices:
        return parameter.kind
    if parameter.name == "hash":
        return "Uint8Array"
    return (_LISTS if parameter.repeated else _TYPES)[parameter.kind]


def parameter_name(parameter: Parameter) -> str:
    return "ttlMs" if parameter.kind == "new_ttl" else names.camel(parameter.name)


def options(operation: Operation, method: Method) -> str:
    """Return the type of a call's options. Some calls have a separate type."""
    kinds = {each.kind for each in method.parameters}
    if own_options(method) or "kept_ttl" in kinds:
        return f"{operation.name}Options"
    if "collection_ttl" in kinds:
        return "CollectionOptions"
    return "SetOptions" if "ttl" in kinds else "CallOptions"


def result(case: Case) -> str:
    """Return the name of a case's result."""
    return names.camel(_RESULTS.get(case.name, case.name))


def hit_class(case: Case) -> str | None:
    """Return the class of a hit that contains bytes."""
    if result(case) != "hit" or not any(value.kind == "bytes" or value.parts for value in case.values):
        return None
    if case.values[0].result:
        return _PARTS_HIT if case.values[0].kind == "bytes" else None
    carried = tuple((value.name, value.kind, value.repeated) for value in case.values)
    if carried not in _HITS:
        raise ValueError(
            f"the Node client has no hit class with the values {', '.join(value.name for value in case.values)}; "
            'set "methods" in the column "hand"'
        )
    return _HITS[carried]


def value_type(value: Value) -> str:
    if value.kind not in _VALUES:
        raise ValueError(
            f'{value.name}: cannot generate Node code that reads this value; set "methods" in the column "hand"'
        )
    one = _VALUES[value.kind]
    if value.result:
        return f"readonly ({one} | null)[]"
    return f"readonly {one}[]" if value.repeated else one


def response(operation: Operation) -> str:
    """Return the type of an operation's response: one of three shapes, with the values of its cases."""
    cases = {result(each): each for each in operation.cases}
    if len(cases) < len(operation.cases):
        raise ValueError(f"{operation.name}: two cases have the same result in Node")
    match sorted(cases):
        case ["success"]:
            return _shape("SuccessResponse", [cases["success"]])
        case ["hit", "miss"]:
            return _shape("LookupResponse", [cases["hit"]])
        case ["notStored", "stored"]:
            return _shape("ConditionalResponse", [cases["stored"], cases["notStored"]])
        case ["miss", "notStored", "stored"]:
            shape = _shape("ConditionalResponse", [cases["stored"], cases["notStored"]])
            return f"{shape} | Miss"
    raise ValueError(f"{operation.name}: the Node client has no response type with the results {', '.join(cases)}")


def _shape(shape: str, cases: list[Case]) -> str:
    given = [_values(each) for each in cases]
    while given and given[-1] == "unknown":
        given.pop()
    return f"{shape}<{', '.join(given)}>" if given else shape


def _values(case: Case) -> str:
    """Return the type of a case's values, without its result."""
    if hit := hit_class(case):
        return hit
    fields = [f"readonly {names.camel(each.name)}: {value_type(each)}" for each in case.values]
    return f"{{ {'; '.join(fields)} }}" if fields else "unknown"


def called(head: str, items: list[str], tail: str, indent: int) -> str:
    """Return `head(items)tail` on one line, or with one item per line."""
    space = " " * indent
    line = f"{space}{head}({', '.join(items)}){tail}\n"
    if len(line) <= page.WIDTH["ts"] + 1:
        return line
    if items[-1].startswith("{"):
        # If the last argument is an object literal, its braces stay on the lines of the call.
        fields = "".join(f"{space}  {field},\n" for field in _fields(items[-1]))
        return f"{space}{head}({', '.join(items[:-1])}, {{\n{fields}{space}}}){tail}\n"
    inner = "".join(f"{space}  {item},\n" for item in items)
    return f"{space}{head}(\n{inner}{space}){tail}\n"


def _fields(literal: str) -> list[str]:
    """Return the fields of an object literal."""
    return re.split(r", (?![^()]*\))", literal.strip("{} "))


def imports(text: str, sources: list[tuple[str, list[str]]]) -> str:
    """Return the sorted imports of the names in a text, grouped by module."""
    written = ""
    for source, candidates in sources:
        used = [each for each in candidates if re.search(rf"\b{each.removeprefix('type ')}\b", text)]
        if used and all(each.startswith("type ") for each in used):
            written += imported([each.removeprefix("type ") for each in used], path_of(source), is_type=True)
        elif used:
            written += imported(used, path_of(source))
    return sorted_imports(written)


def path_of(module: str) -> str:
    """Return the import path of a client module in a file of GENERATED.

    Relative paths and packages are returned unchanged.
    """
    if ":" in module or module.startswith("."):
        return module
    folder = _FOLDERS.get(module)
    if folder is None:
        return f"./{module}.js"
    return f"../{module}.js" if folder == "operations" else f"../../{folder}/{module}.js"


def sorted_imports(text: str) -> str:
    """Return imports in Biome's order: packages first, then by decreasing distance, then by name."""
    return "".join(sorted(re.findall(r"import .*?;\n", text, re.DOTALL), key=_module))


def _module(statement: str) -> tuple[bool, int, str]:
    path = statement.rsplit('"', 2)[1].removesuffix(".js")
    return path.startswith("."), -path.count("../"), path


def imported(what: list[str], source: str, is_type: bool = False) -> str:
    """Return an import, sorted and formatted as Biome does."""
    head = "import type" if is_type else "import"
    sorted_names = sorted(what, key=lambda name: [(c.lower(), c.islower()) for c in name.removeprefix("type ")])
    line = f'{head} {{ {", ".join(sorted_names)} }} from "{source}";\n'
    if len(line) <= page.WIDTH["ts"] + 1:
        return line
    inner = "".join(f"  {name},\n" for name in sorted_names)
    return f'{head} {{\n{inner}}} from "{source}";\n'
