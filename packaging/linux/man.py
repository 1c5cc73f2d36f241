"""Write the man page of larder from the help of its commands: man.py PROGRAM VERSION."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tools" / "reference.d"))
import help_text  # noqa: E402
from help_text import Page, Row  # noqa: E402

# If at least this number of commands have the same option, the man page describes the option only once.
SHARED = 30
LIMIT_S = 60.0


def escaped(text: str) -> str:
    """Escape a text, so that roff prints it unchanged."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.M)


def commands(program: str) -> list[str]:
    """Return the commands of the program that its completions offer and that have a help text."""
    script = subprocess.run(
        [program, "completions", "fish"], capture_output=True, text=True, check=True, timeout=LIMIT_S
    ).stdout
    named = re.findall(r"^complete -c larder -n '__fish_use_subcommand' -f -a (\S+)", script, re.M)
    helped = [
        name
        for name in named
        if subprocess.run([program, name, "--help"], capture_output=True, timeout=LIMIT_S).returncode == 0
    ]
    return sorted(helped, key=lambda name: (name not in ("serve", "doctor", "token"), named.index(name)))


def items(rows: Iterable[Row]) -> str:
    text = ""
    for row in rows:
        default = f" The default is {row.default}." if row.default else ""
        text += f".TP\n.B {escaped(row.name)}\n{escaped(row.text + ('.' if default else '') + default)}\n"
    return text


def section(page: Page, shared: list[Row]) -> str:
    text = f".SS {escaped(page.command)}\n{escaped(page.description)}\n"
    text += f".PP\n.RS\n{escaped(page.usage)}\n.RE\n"
    own = [row for row in page.options if row not in shared]
    return text + items([*page.arguments, *own])


def page_of(program: str, version: str) -> str:
    with ThreadPoolExecutor(max_workers=2) as pool:
        tops = list(pool.map(lambda name: help_text.read([program], f"larder {name}", [name]), commands(program)))
    pages = [page for top in tops for page in top.all() if not page.pages]
    counts = Counter(row for page in pages for row in page.options)
    shared = [row for row, count in counts.items() if count >= SHARED]
    text = f'.TH LARDER 1 "" "larder {version}" "Larder"\n'
    text += ".SH NAME\nlarder \\- cache server and its command line\n"
    text += ".SH SYNOPSIS\n.B larder\n.I COMMAND\n[\\fIOPTION\\fR ...]\n"
    text += ".SH DESCRIPTION\nRuns a Larder cache server, or sends calls to a running server. "
    text += "Without \\-\\-server, commands call the server in LARDER_URL. "
    text += "If LARDER_URL is not set, they call the server at 127.0.0.1:8080.\n"
    if shared:
        text += ".SH OPTIONS\nMost commands that call a server take these options.\n" + items(shared)
    text += ".SH COMMANDS\n" + "".join(section(page, shared) for page in pages)
    return text


if __name__ == "__main__":
    sys.stdout.write(page_of(*sys.argv[1:]))
