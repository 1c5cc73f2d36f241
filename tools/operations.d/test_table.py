"""Faults in the table are reported before anything is written."""

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
def test_a_row_that_cannot_be_is_refused(protocol: Path, row: str, said: str) -> None:
    path = protocol / "protocol" / "operations.toml"
    path.write_text(f"{path.read_text()}\n{row}\n")
    with pytest.raises(ValueError, match=said):
        table.read(protocol)


def test_a_field_of_the_pipeline_is_given_once(protocol: Path) -> None:
    path = protocol / "protocol" / "operations.toml"
    path.write_text(path.read_text().replace("pipeline = 9\n", "pipeline = 7\n"))
    with pytest.raises(ValueError, match="pipeline 7 is taken; the next free one is 53"):
        table.read(protocol)


def test_an_rpc_without_a_row_is_refused(protocol: Path) -> None:
    path = protocol / "protocol" / "proto" / "cache.proto"
    rpc = "  rpc Touch(GetRequest) returns (DeleteResponse);\n"
    path.write_text(path.read_text().replace("  // Gets an item's value.\n", rpc + "  // Gets an item's value.\n", 1))
    with pytest.raises(ValueError, match="only in one: Touch"):
        table.read(protocol)


def test_an_arm_that_is_not_there_is_refused(protocol: Path) -> None:
    path = protocol / "protocol" / "operations.toml"
    path.write_text(path.read_text().replace('arm = "absent"', 'arm = "abset"'))
    with pytest.raises(ValueError, match="unknown arm abset"):
        table.read(protocol)


def test_an_arm_of_a_form_that_is_not_there_is_refused(protocol: Path) -> None:
    path = protocol / "protocol" / "operations.toml"
    path.write_text(path.read_text().replace('arm = "subtrahend.set"', 'arm = "subtrahend.sett"'))
    with pytest.raises(ValueError, match="unknown arm subtrahend.sett"):
        table.read(protocol)


def test_a_row_with_forms_is_one_for_the_server_and_several_for_a_client(protocol: Path) -> None:
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


def test_what_several_fields_say_is_one_parameter(protocol: Path) -> None:
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


def test_a_list_of_parts_that_may_miss_is_a_list_of_values(protocol: Path) -> None:
    called = {each.name: each for each in table.read(protocol).of_clients(()).operations}
    (scores,) = called["SortedSetGetScore"].cases[0].values
    assert (scores.name, scores.kind, scores.repeated, scores.result) == ("scores", "double", True, 1)
    fetched = called["SortedSetFetchByRank"].cases[0]
    assert (fetched.name, fetched.within) == ("hit", 1)
    assert called["SortedSetGetRank"].cases[0].result == 1


def test_what_a_client_lacks_is_not_in_its_table(protocol: Path) -> None:
    groups = {each.name for each in table.read(protocol).of_clients(("sets",)).groups}
    assert "sets" not in groups and "lists" in groups
