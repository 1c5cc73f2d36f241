"""Generate docs/reference: options of the server, settings of the clients, commands and options of the command line."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import help_text
import settings
from help_text import Page, Row
from settings import Setting

ROOT = Path(__file__).parents[2]
TARGET = ROOT / "docs" / "reference"
HEADER = "<!-- Written by tools/reference (a test compares it). Change the source and run tools/reference. -->"
BUILT = "bin/Release/net10.0"
SERVER = ROOT / "server/src/Larder.Server" / BUILT / "larder-server.dll"
SHELL = ROOT / "clients/dotnet/cli/Larder.Cli" / BUILT / "Larder.Cli.dll"
FILE = ROOT / "filestore/cli/Larder.FileStore.Cli" / BUILT / "Larder.FileStore.Cli.dll"
TUNER = ROOT / "tuner/src/Larder.Tuner" / BUILT / "Larder.Tuner.dll"
LAB = ROOT / "lab/src/Larder.Lab" / BUILT / "Larder.Lab.dll"
PROGRAMS = [SERVER, SHELL, FILE, TUNER, LAB]

# The descriptions of the types that ServeOptions.cs declares.
TYPES = {
    "IPAddress": "address",
    "int": "whole number",
    "string": "text",
    "string[]": "text, repeatable",
    "SizeArgument": "size",
    "DurationArgument": "duration",
    "bool": "switch",
    "Uri": "URL",
}
# Environment variables of the server whose names do not follow from those of the options.
VARIABLES = {"--token": "LARDER_TOKEN", "--store": "LARDER_STORE", "--snapshot": "LARDER_SNAPSHOT"}
# Defaults that depend on the machine.
MACHINE = {"--memory": "a quarter of the machine's memory"}
GUIDES = "../guides/"
# An option is described only once if at least this number of commands have it.
SHARED = 30


def _cell(text: str) -> str:
    """Return one line of Markdown; angle brackets are escaped, except in code."""
    parts = re.split(r"(`[^`]*`)", text.replace("|", "\\|").replace("\n", " "))
    return "".join(part if part.startswith("`") else part.replace("<", "&lt;") for part in parts) or " "


def _table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *([_cell(cell) for cell in row] for row in rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _code(text: str) -> str:
    return f"`{text}`" if text else ""


def _option(name: str) -> str:
    return name.split(" <")[0]


def _value(name: str) -> str:
    value = re.search(r"<(.*)>", name)
    return value[1] if value else "switch"


def _variable(option: str) -> str:
    """Return the environment variable of an option of the server."""
    if option in ("--print-config", "--check-config"):
        return ""
    return VARIABLES.get(option, "LARDER_SERVE_" + option[2:].replace("-", "_").upper())


def server() -> str:
    source = (ROOT / "server/src/Larder.Server/Configuration/ServeOptions.cs").read_text()
    declared = dict(
        (name, kind)
        for kind, name in re.findall(r'Option<(\S+?)\??> _\w+ = (?:Defaulting\(\s*|new\()"(--[\w-]+)"', source)
    )
    # Other files declare these.
    declared |= {"--config": "string", "--print-config": "bool", "--check-config": "bool"}
    page = help_text.read(["dotnet", SERVER], "larder serve", [])
    rows = []
    for row in page.options:
        name = _option(row.name)
        kind = TYPES.get(declared.get(name, ""))
        default = MACHINE.get(name, row.default)
        if kind is None:
            kind, default = "one of " + ", ".join(_value(row.name).lower().split("|")), default.lower()
        elif kind == "text" and re.match(r"(?:PEM |TOML )?[Ff]ile\b", row.text):
            kind = "file"
        rows.append([_code(name), kind, default, _variable(name), row.text])
    return (
        f"# Server options\n\n{HEADER}\n\n`larder serve` takes these options, "
        "and `larder doctor` all but the last two. "
        f"`--config FILE` reads them from a file ([guide]({GUIDES}operating.md#configuration-file)). "
        "A size is bytes or `512m`, `4g`; a duration is `500ms`, `10s`, `24h`, `30d`.\n\n"
        + _table(["option", "type", "default", "environment variable", "effect"], rows)
    )


def _settings(title: str, source: str, rows: list[Setting]) -> str:
    assert rows, source
    table = _table(
        ["setting", "type", "default", "effect"],
        [[_code(each.name), _code(each.type), each.default, each.text] for each in rows],
    )
    return f"### {title}\n`{source}`\n\n{table}\n"


def clients() -> str:
    text = (
        f"# Client settings\n\n{HEADER}\n\n`Configuration` has the same settings in each client; "
        "the other options differ. "
        "Ranges and the values of the pre-built configurations (Laptop, InRegion, Lambda) are in "
        "[configuration.md](../../protocol/spec/configuration.md). "
        "A setting without a default here has one in each pre-built configuration.\n\n"
    )
    text += "## .NET\n"
    for title, source in (
        ("Configuration", "clients/dotnet/src/Larder.Client/Configuration/Configuration.cs"),
        ("Configuration.Headers", "clients/dotnet/src/Larder.Client/Configuration/Configuration.Headers.cs"),
        ("NearCache", "clients/dotnet/src/Larder.Client/Near/NearCache.cs"),
        ("GetOrCreateOptions", "clients/dotnet/src/Larder.Client/Leases/GetOrCreateOptions.cs"),
        ("LarderCacheOptions (AddLarderCache)", "clients/dotnet/src/Larder.Client.Hosting/LarderCacheOptions.cs"),
        (
            "LarderDistributedCacheOptions (AddLarderDistributedCache)",
            "clients/dotnet/src/Larder.Client.Hosting/LarderDistributedCacheOptions.cs",
        ),
    ):
        text += _settings(title, source, settings.csharp((ROOT / source).read_text()))
    text += "## Python\n"
    for title, source in (
        ("Configuration", "clients/python/larder_cache/configuration.py"),
        ("NearCache", "clients/python/larder_cache/near_cache.py"),
        ("GetOrSetOptions", "clients/python/larder_cache/get_or_set_options.py"),
    ):
        text += _settings(title, source, settings.python((ROOT / source).read_text(), title))
    text += "## Node\n"
    for title, source in (
        ("CacheClientOptions", "clients/node/src/client/client-options.ts"),
        ("Configuration", "clients/node/src/configuration/configuration.ts"),
        ("NearCacheSettings", "clients/node/src/near/near-settings.ts"),
        ("GetOrSetOptions", "clients/node/src/client/client-options.ts"),
    ):
        text += _settings(title, source, settings.node((ROOT / source).read_text(), title))
    return text.rstrip("\n") + "\n"


def _shared(pages: list[Page]) -> list[Row]:
    """Return the options that most commands share."""
    rows = [row for page in pages for row in page.options]
    shared = [row for row in rows if rows.count(row) >= SHARED]
    return list(dict.fromkeys(shared))


def _command(page: Page, shared: list[Row]) -> str:
    """Describe a command that is not a group of other commands."""
    own = [row for row in page.options if row not in shared]
    rows = [[_code(row.name), "argument", row.default, row.text] for row in page.arguments]
    rows += [[_code(_option(row.name)), _value(row.name), row.default, row.text] for row in own]
    text = f"### {page.command}\n{_cell(page.description)}\n\n```\n{page.usage}\n```\n\n"
    return text + (_table(["argument or option", "value", "default", "effect"], rows) + "\n" if rows else "")


def command_line() -> str:
    shell = help_text.read(["dotnet", SHELL], "larder", [])
    calls = [page for page in shell.all() if page.arguments or page.options or not page.pages]
    shared = _shared(calls)
    text = (
        f"# Command line\n\n{HEADER}\n\nThe guide is [command-line.md]({GUIDES}command-line.md). "
        "`larder serve` has a [page of its own](server.md).\n\n"
        "## Options of every call\nCommands that call a server take these; a command's own options are below it.\n\n"
    )
    text += _table(
        ["option", "value", "default", "effect"],
        [[_code(_option(row.name)), _value(row.name), row.default, row.text] for row in shared],
    )
    text += "\n## Items, collections, topics, caches, state\n"
    text += "".join(_command(page, shared) for page in calls)
    for title, program, command, words in (
        ("Tokens", SERVER, "larder token", ["token"]),
        ("File cache", FILE, "larder file", []),
    ):
        pages = help_text.read(["dotnet", program], command, words).all()
        text += f"## {title}\n" + "".join(_command(page, []) for page in pages if not page.pages)
    text += "## Tune and measure\n"
    for command in ("tune", "bench", "quickstart"):
        pages = help_text.read(["dotnet", TUNER], f"larder {command}", [command]).all()
        text += "".join(_command(page, []) for page in pages)
    return text.rstrip("\n") + "\n"


def main(arguments: list[str]) -> int:
    pages = {"server": server, "clients": clients, "command-line": command_line}
    chosen = [name for name in pages if name in arguments] or list(pages)
    missing = [str(program.relative_to(ROOT)) for program in PROGRAMS if not program.is_file()]
    if missing and chosen != ["clients"]:
        print(
            f"reference: {', '.join(missing)} not found; run: dotnet build Larder.slnx -c Release. "
            "To write only the page of the clients, which needs no build, run: tools/reference clients",
            file=sys.stderr,
        )
        return 2
    stale = 0
    for name in chosen:
        path, text = TARGET / f"{name}.md", pages[name]()
        if path.is_file() and path.read_text() == text:
            continue
        stale += 1
        if "--check" in arguments:
            print(f"reference: {path.relative_to(ROOT)} is stale; run tools/reference", file=sys.stderr)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            print(f"reference: wrote {path.relative_to(ROOT)}")
    return 1 if stale and "--check" in arguments else 0


sys.exit(main(sys.argv[1:]))
