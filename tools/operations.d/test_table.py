"""Faults in the table are reported before any file is written."""

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
        ("[items.Gett]\npipeline = 99", "protocol/proto has no such RPC"),
        ("[items.Touch]\npipelin = 99", "unknown column pipelin"),
        ("[more]\ndoc = 'x'\n[more.Get]\nrole = 'read'\ncost = 'value'\npipeline = 99\n", "contains Get twice"),
        ("[more]\ndoc = 'x'\n[more.Get]\npipeline = 99\n", "more.Get: the role must be one of open, read"),
        ("[more]\ndoc = 'x'\n[more.Get]\nrole = 'reader'\n", "more.Get: the role must be one of open, read"),
        ("[more]\ndoc = 'x'\n[more.Get]\nrole = 'read'\n", "more.Get: the cost must be one of constant, bytes"),
        (
            "[more]\ndoc = 'x'\n[more.Get]\nrole = 'read'\ncost = 'cheap'\n",
            "more.Get: the cost must be one of constant, bytes",
        ),
    ],
)
def test_read_rejects_invalid_row(protocol: Path, row: str, said: str) -> None:
    path = protocol / "protocol" / "operations.toml"
    path.write_text(f"{path.read_text()}\n{row}\n")
    with pytest.raises(ValueError, match=said):
        table.read(protocol)


def test_read_rejects_duplicate_pipeline_field(protocol: Path) -> None:
    path = protocol / "protocol" / "operations.toml"
    path.write_text(path.read_text().replace("pipeline = 9\n", "pipeline = 7\n"))
    with pytest.raises(ValueError, match=r"pipeline number 7 is already used; the next free one is \d+"):
        table.read(protocol)


def test_read_rejects_rpc_without_row(protocol: Path) -> None:
    path = protocol / "protocol" / "proto" / "cache.proto"
    rpc = "  rpc Touch(GetRequest) returns (DeleteResponse);\n"
    path.write_text(path.read_text().replace("  // Gets an item's value.\n", rpc + "  // Gets an item's value.\n", 1))
    with pytest.raises(ValueError, match="only one of them contains Touch"):
        table.read(protocol)


def test_read_rejects_unknown_oneof_member(protocol: Path) -> None:
    path = protocol / "protocol" / "operations.toml"
    path.write_text(path.read_text().replace('arm = "absent"', 'arm = "abset"'))
    with pytest.raises(ValueError, match="unknown oneof member abset"):
        table.read(protocol)


def test_read_rejects_unknown_oneof_member_in_form(protocol: Path) -> None:
    path = protocol / "protocol" / "operations.toml"
    path.write_text(path.read_text().replace('arm = "subtrahend.set"', 'arm = "subtrahend.sett"'))
    with pytest.raises(ValueError, match="unknown oneof member subtrahend.sett"):
        table.read(protocol)


def test_row_with_forms_becomes_several_client_operations(protocol: Path) -> None:
    read = table.read(protocol)
    whole = next(each for each in read.operations if each.name == "SetDifference")
    assert not whole.idempotent and whole.body is None
    called = {each.name: each for each in read.of_clients(()).operations if each.rpc.name == "SetDifference"}
    assert {name: each.idempotent for name, each in called.items()} == {
        "SetDifference": True,
        "SetDifferenceFrom": False,
    }
    paths = [each.body.path for each in called.values() if each.body]
    assert paths == [(3, 1), (2,)]
    assert {each.response for each in called.values()} == {"SetDifferenceResponse"}


def test_fields_of_one_value_become_one_parameter(protocol: Path) -> None:
    called = {each.name: each for each in table.read(protocol).of_clients(()).operations}
    told = {
        name: [(each.name, each.kind) for each in called[name].methods[0].parameters]
        for name in ("DictionarySet", "ListRetain", "SortedSetLengthByScore")
    }
    assert told == {
        "DictionarySet": [("name", "bytes"), ("items", "DictionaryItem"), ("ttl", "collection_ttl")],
        "ListRetain": [("name", "bytes"), ("start", "index"), ("end", "index"), ("ttl", "kept_ttl")],
        "SortedSetLengthByScore": [("name", "bytes"), ("min", "score_bound"), ("max", "score_bound")],
    }
    (_, bound, _) = called["SortedSetLengthByScore"].arguments
    assert (bound.number, bound.exclusive, bound.unbounded) == (2, 3, 4)


def test_list_of_optional_parts_becomes_list_of_values(protocol: Path) -> None:
    called = {each.name: each for each in table.read(protocol).of_clients(()).operations}
    (scores,) = called["SortedSetGetScore"].cases[0].values
    assert (scores.name, scores.kind, scores.repeated, scores.result) == ("scores", "double", True, 1)
    fetched = called["SortedSetFetchByRank"].cases[0]
    assert (fetched.name, fetched.within) == ("hit", 1)
    assert called["SortedSetGetRank"].cases[0].result == 1


def test_groups_missing_in_client_are_excluded(protocol: Path) -> None:
    groups = {each.name for each in table.read(protocol).of_clients(("sets",)).groups}
    assert "sets" not in groups and "lists" in groups
