"""The .NET client's responses: a closed set of types for each operation."""

from __future__ import annotations

from pathlib import Path

import dotnet
import names
from shapes import Case, Operation, Table, Value

_ERROR = """
    /// <summary>The call failed.</summary>
    public sealed class Error : {name}, ICacheFailure
    {{
        internal Error(CacheError failure) => Failure = failure;

        /// <inheritdoc/>
        public CacheError Failure {{ get; }}

        /// <summary>Gets the error code. Base decisions on it.</summary>
        public CacheErrorCode Code => Failure.Code;

        /// <summary>Gets all details in one line, for a log.</summary>
        public string Message => Failure.Message;

        /// <inheritdoc/>
        public override string ToString() => Failure.Message;
    }}
}}
"""


def outputs(table: Table, root: Path) -> dict[str, str]:
    written = [each for each in table.answered if "response" not in each.hand]
    return {f"{dotnet.generated('Responses', each)}/{each.response}.cs": _response(each) for each in written}


def _response(operation: Operation) -> str:
    name = operation.response
    cases = [names.pascal(operation.case_name("dotnet", case)) for case in operation.cases]
    seen = [f'<see cref="{case}"/>' for case in cases]
    bodies = "".join(map(lambda case: _case(operation, name, case), operation.cases))
    used = {"CultureInfo": "System.Globalization", "Encoding": "System.Text"}
    usings = "".join(f"using {space};\n" for name, space in used.items() if f"{name}." in bodies)
    usings += "\n" if usings else ""
    return f"""{dotnet.HEAD}{usings}namespace Larder.Client;

/// <summary>The response to {dotnet.method_names(operation)}: {", ".join(seen)} or <see cref="Error"/>.</summary>
public abstract class {name}
{{
    private {name}()
    {{
    }}

    /// <summary>Returns the response's type and non-sensitive details.</summary>
    public override string ToString() => GetType().Name;
{bodies}{_ERROR.format(name=name)}"""


def _case(operation: Operation, response: str, case: Case) -> str:
    name = names.pascal(operation.case_name("dotnet", case))
    head = f"""
    /// <summary>{case.doc}</summary>
    public sealed class {name} : {response}
    {{
"""
    if not case.values:
        return f"""{head}        internal static readonly {name} Instance = new();

        private {name}()
        {{
        }}
    }}
"""
    given = ", ".join(f"{dotnet.value_type(each)} {_argument(each)}" for each in case.values)
    sets = "".join(f"            {dotnet.value_name(each)} = {_argument(each)};\n" for each in case.values)
    properties = "".join(
        f"""
        /// <summary>{_documented(each)}</summary>
        public {dotnet.value_type(each)} {dotnet.value_name(each)} {{ get; }}
{_text(each)}"""
        for each in case.values
    )
    return f"""{head}        internal {name}({given})
        {{
{sets}        }}
{properties}{_shown(name, case)}    }}
"""


def _documented(value: Value) -> str:
    return f"{value.doc.rstrip('.')}; null if it is missing." if value.result else value.doc


def _text(value: Value) -> str:
    """Return the property with bytes as text; none for a hash, which is opaque."""
    if value.kind != "bytes" or value.name == "hash":
        return ""
    name, read = dotnet.value_name(value), "Encoding.UTF8.GetString"
    if not value.repeated:
        return f"""
        /// <summary>Gets the {value.name} as text, decoded as UTF-8.</summary>
        public string {name}String => {read}({name}.Span);
"""
    text = "string?" if value.result else "string"
    one = f"each is {{ }} given ? {read}(given.Span) : null" if value.result else f"{read}(each.Span)"
    return f"""
        /// <summary>Returns the {value.name} as text, decoded as UTF-8 on each call.</summary>
        public IReadOnlyList<{text}> ToStrings() => [.. {name}.Select(static each => {one})];
"""


def _argument(value: Value) -> str:
    name = dotnet.value_name(value)
    return name[0].lower() + name[1:]


def _shown(name: str, case: Case) -> str:
    """Return the text of a case for logs: its first value, but never the content of bytes."""
    first = case.values[0]
    value = dotnet.value_name(first)
    if first.repeated:
        counted = "answers" if first.kind == "bool" else first.name
        text = f'$"{name} ({{{value}.Count}} {counted})"'
    elif first.kind in ("int64", "uint64", "uint32", "double") and dotnet.value_type(first) != "TimeSpan":
        text = f'string.Create(CultureInfo.InvariantCulture, $"{name} ({{{value}}})")'
    elif first.kind == "bytes" and first.name == "hash":
        return ""
    elif first.kind == "bytes":
        text = f'$"{name} ({{{value}.Length}} bytes)"'
    else:
        text = f'$"{name} ({{{value}}})"'
    return f"""
        /// <inheritdoc/>
        public override string ToString() => {text};
"""
