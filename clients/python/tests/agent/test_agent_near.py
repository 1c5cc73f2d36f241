"""The violations that a near run detects itself; the same cases as in tuner/tests and clients/node/agent."""

from pathlib import Path

import pytest

from agent.near_check import NearCheck
from agent.near_records import NearRecords
from agent.near_value import near_value, version_of
from agent.near_writes import NearWrites

KEY = 3


@pytest.fixture(name="check")
def fixture_check() -> NearCheck:
    return NearCheck(10, 16)


@pytest.fixture(name="writes")
def fixture_writes() -> NearWrites:
    return NearWrites(10, 1_000)


def test_a_read_that_gives_less_than_an_earlier_one_that_had_finished_is_a_violation(check: NearCheck) -> None:
    check.found(KEY, check.floors[KEY], 5)
    check.found(KEY, check.floors[KEY], 4)
    assert check.violations == 1
    assert check.told == ["key 3: a read returned version 4 after version 5 was acknowledged"]


def test_a_read_that_gives_less_than_this_clients_own_write_is_a_violation(check: NearCheck) -> None:
    check.finished(KEY, 7)
    check.found(KEY, check.floors[KEY], 6)
    assert check.violations == 1


def test_two_reads_that_overlap_may_give_either_order_but_not_one_that_begins_later(check: NearCheck) -> None:
    first, second = check.floors[KEY], check.floors[KEY]
    check.found(KEY, first, 5)
    check.found(KEY, second, 4)
    assert check.violations == 0
    check.found(KEY, check.floors[KEY], 4)
    assert check.violations == 1


def test_a_miss_stands_for_the_oldest_delete_that_explains_it(check: NearCheck) -> None:
    assert check.missed(KEY, check.floors[KEY], None) == 0
    check.finished(KEY, 3)
    assert check.missed(KEY, check.floors[KEY], None) == 16
    assert check.missed(KEY, check.floors[KEY], None) == 16
    assert check.violations == 0
    check.found(KEY, check.floors[KEY], 4)
    assert check.violations == 1


def test_a_miss_of_an_own_key_is_a_violation_where_no_such_delete_was_made(check: NearCheck) -> None:
    check.finished(KEY, 15)
    assert check.missed(KEY, check.floors[KEY], 16) == 16
    assert check.violations == 0
    check.finished(KEY, 17)
    check.missed(KEY, check.floors[KEY], 31)
    assert check.violations == 1


def test_without_deletes_a_miss_of_what_was_there_is_a_violation() -> None:
    check = NearCheck(10, 0)
    assert check.missed(KEY, 0, None) == 0
    assert check.missed(KEY, 1, None) == -1
    assert check.violations == 1


def test_where_what_was_stored_may_be_gone_misses_say_nothing_but_hits_do(check: NearCheck) -> None:
    check.finished(KEY, 5)
    check.is_lost = True
    assert check.missed(KEY, check.floors[KEY], 5) == -1
    assert check.violations == 0
    check.found(KEY, check.floors[KEY], 4)
    assert check.violations == 1


def test_all_violations_are_counted_and_the_first_five_told(check: NearCheck) -> None:
    check.finished(KEY, 9)
    for _ in range(7):
        check.found(KEY, check.floors[KEY], 1)
    assert check.violations == 7
    assert len(check.told) == 5


def test_a_key_is_written_by_one_caller_at_a_time(writes: NearWrites) -> None:
    assert writes.try_begin(KEY, 1) == 1
    assert writes.try_begin(KEY, 2) == 0
    assert writes.try_begin(KEY + 1, 2) == 1
    writes.finished(KEY)
    assert writes.try_begin(KEY, 3) == 2
    assert writes.issued[KEY] == 2


def test_after_an_unknown_end_a_key_waits_until_that_write_can_come_no_more(writes: NearWrites) -> None:
    writes.try_begin(KEY, 1)
    writes.unknown(KEY, 10)
    assert writes.unsettled() == 1
    assert writes.try_begin(KEY, 1_010) == 0
    assert writes.try_begin(KEY, 1_011) == 2
    assert writes.unsettled() == 0


def test_or_until_it_was_seen(writes: NearWrites) -> None:
    writes.try_begin(KEY, 1)
    writes.finished(KEY)
    writes.try_begin(KEY, 2)
    writes.unknown(KEY, 10)
    writes.seen(KEY, 1)
    assert writes.try_begin(KEY, 11) == 0
    writes.seen(KEY, 2)
    assert writes.try_begin(KEY, 11) == 3
    writes.seen(KEY, 3)
    assert writes.try_begin(KEY, 12) == 0


@pytest.mark.parametrize("size", [12, 100])
def test_a_value_tells_its_version_to_its_own_key(size: int) -> None:
    value = near_value(7, 300, size)
    assert len(value) == size
    assert version_of(value, 7) == 300
    assert version_of(value, 8) == 0
    assert version_of(value[:-1], 7) == 0
    assert value[:8].hex() == "070000002c010000"


def test_the_readings_of_a_version_are_one_line_once_another_is_read(tmp_path: Path) -> None:
    path = tmp_path / "records.csv"
    with NearRecords(str(path)) as records:
        records.wrote(1, 1, 100)
        records.read(1, 1, 110, 120)
        records.read(1, 1, 130, 140)
        records.read(1, 1, 125, 150)
        records.unknown(1, 2, 155)
        records.read(1, 2, 160, 170)
        records.missed(1, 16)
        records.missed(1, 16)
    assert path.read_text().splitlines() == ["w,1,1,100", "u,1,2,155", "r,1,1,120,130", "m,1,16", "r,1,2,170,160"]
