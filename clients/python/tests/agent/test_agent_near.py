"""The violations that a near run itself detects.

The tests in tuner/tests and clients/node/agent have the same cases.
"""

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


def test_near_check_reports_version_older_than_an_earlier_read(check: NearCheck) -> None:
    check.found(KEY, check.floors[KEY], 5)
    check.found(KEY, check.floors[KEY], 4)
    assert check.violations == 1
    assert check.told == ["key 3: a read returned version 4 after version 5 was acknowledged"]


def test_near_check_reports_version_older_than_an_acknowledged_own_write(check: NearCheck) -> None:
    check.finished(KEY, 7)
    check.found(KEY, check.floors[KEY], 6)
    assert check.violations == 1


def test_near_check_accepts_decreasing_versions_only_for_overlapping_reads(check: NearCheck) -> None:
    first, second = check.floors[KEY], check.floors[KEY]
    check.found(KEY, first, 5)
    check.found(KEY, second, 4)
    assert check.violations == 0
    check.found(KEY, check.floors[KEY], 4)
    assert check.violations == 1


def test_near_check_attributes_miss_to_the_oldest_possible_delete(check: NearCheck) -> None:
    assert check.missed(KEY, check.floors[KEY], None) == 0
    check.finished(KEY, 3)
    assert check.missed(KEY, check.floors[KEY], None) == 16
    assert check.missed(KEY, check.floors[KEY], None) == 16
    assert check.violations == 0
    check.found(KEY, check.floors[KEY], 4)
    assert check.violations == 1


def test_near_check_reports_miss_of_own_write_without_a_delete(check: NearCheck) -> None:
    check.finished(KEY, 15)
    assert check.missed(KEY, check.floors[KEY], 16) == 16
    assert check.violations == 0
    check.finished(KEY, 17)
    check.missed(KEY, check.floors[KEY], 31)
    assert check.violations == 1


def test_near_check_reports_miss_of_stored_key_without_deletes() -> None:
    check = NearCheck(10, 0)
    assert check.missed(KEY, 0, None) == 0
    assert check.missed(KEY, 1, None) == -1
    assert check.violations == 1


def test_near_check_after_data_loss_checks_hits_but_not_misses(check: NearCheck) -> None:
    check.finished(KEY, 5)
    check.is_lost = True
    assert check.missed(KEY, check.floors[KEY], 5) == -1
    assert check.violations == 0
    check.found(KEY, check.floors[KEY], 4)
    assert check.violations == 1


def test_near_check_counts_all_violations_and_describes_the_first_five(check: NearCheck) -> None:
    check.finished(KEY, 9)
    for _ in range(7):
        check.found(KEY, check.floors[KEY], 1)
    assert check.violations == 7
    assert len(check.told) == 5


def test_near_writes_allows_one_writer_per_key(writes: NearWrites) -> None:
    assert writes.try_begin(KEY, 1) == 1
    assert writes.try_begin(KEY, 2) == 0
    assert writes.try_begin(KEY + 1, 2) == 1
    writes.finished(KEY)
    assert writes.try_begin(KEY, 3) == 2
    assert writes.issued[KEY] == 2


def test_key_with_unknown_write_outcome_is_blocked_for_settle_time(writes: NearWrites) -> None:
    writes.try_begin(KEY, 1)
    writes.unknown(KEY, 10)
    assert writes.unsettled() == 1
    assert writes.try_begin(KEY, 1_010) == 0
    assert writes.try_begin(KEY, 1_011) == 2
    assert writes.unsettled() == 0


def test_key_is_unblocked_when_its_unconfirmed_write_is_read(writes: NearWrites) -> None:
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
def test_near_value_contains_its_key_and_version(size: int) -> None:
    value = near_value(7, 300, size)
    assert len(value) == size
    assert version_of(value, 7) == 300
    assert version_of(value, 8) == 0
    assert version_of(value[:-1], 7) == 0
    assert value[:8].hex() == "070000002c010000"


def test_near_records_merges_reads_of_one_version_into_one_line(tmp_path: Path) -> None:
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
