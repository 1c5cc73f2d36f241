"""What is wrong in the table is said before anything is written."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import table

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def protocol(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "protocol" / "proto", tmp_path / "protocol" / "proto")
    shutil.copy2(ROOT / "protocol" / "operations.toml", tmp_path / "protocol" / "operations.toml")
    return tmp_path


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("[items.Gett]\npipeline = 99", "no rpc of proto"),
        ("[items.Touch]\npipelin = 99", "no column pipelin"),
        ("[more]\ndoc = 'x'\n[more.Get]\npipeline = 99\n", "has Get twice"),
    ],
)
def test_a_row_that_cannot_be_is_refused(protocol: Path, row: str, said: str) -> None:
    path = protocol / "protocol" / "operations.toml"
    path.write_text(f"{path.read_text()}\n{row}\n")
    with pytest.raises(ValueError, match=said):
        table.read(protocol)


def test_a_field_of_the_pipeline_is_given_once(protocol: Path) -> None:
    path = protocol / "protocol" / "operations.toml"
    path.write_text(path.read_text().replace("pipeline = 9\n", "pipeline = 7\n"))
    with pytest.raises(ValueError, match="pipeline 7 is taken; the next free one is 19"):
        table.read(protocol)


def test_an_rpc_without_a_row_is_refused(protocol: Path) -> None:
    path = protocol / "protocol" / "proto" / "cache.proto"
    rpc = "  rpc Touch(GetRequest) returns (DeleteResponse);\n"
    path.write_text(path.read_text().replace("  // Gets an item's value.\n", rpc + "  // Gets an item's value.\n", 1))
    with pytest.raises(ValueError, match="differ in Touch"):
        table.read(protocol)


def test_an_arm_that_is_not_there_is_refused(protocol: Path) -> None:
    path = protocol / "protocol" / "operations.toml"
    path.write_text(path.read_text().replace('arm = "absent"', 'arm = "abset"'))
    with pytest.raises(ValueError, match="there is no arm abset"):
        table.read(protocol)
