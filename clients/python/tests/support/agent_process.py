"""The agent as a process."""

from __future__ import annotations

import asyncio
import json
import sys
from asyncio.subprocess import PIPE
from pathlib import Path
from typing import Any

from tests.conftest import PATIENCE_S

FOLDER = Path(__file__).parents[2]


async def talk(lines: list[str]) -> tuple[int, list[dict[str, Any]]]:
    """Send each line after the response to the previous line. Returns the exit code and the output."""
    process = await asyncio.create_subprocess_exec(sys.executable, "-m", "agent", cwd=FOLDER, stdin=PIPE, stdout=PIPE)
    assert process.stdin is not None and process.stdout is not None
    written: list[dict[str, Any]] = []
    async with asyncio.timeout(PATIENCE_S):
        written.append(json.loads(await process.stdout.readline()))
        for line in lines:
            process.stdin.write(line.encode() + b"\n")
            while True:
                written.append(json.loads(await process.stdout.readline()))
                if "result" in written[-1]:
                    break
        process.stdin.close()
        return await process.wait(), written
