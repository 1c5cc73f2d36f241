"""The buffer of events: at its limit, one event above its limit, and its notifications."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from larder_cache import ErrorCode
from larder_cache._internal.topics.topic_buffer import MOST_BYTES, MOST_EVENTS, Stage, TopicBuffer
from larder_cache.topic_event import Error, Item, TopicEvent

_ERROR = Error(ErrorCode.NOT_FOUND, "deleted")


def _item(number: int) -> TopicEvent:
    return Item(b"", number, 1)


def _filled(count: int, size: int) -> tuple[TopicBuffer, list[str]]:
    told: list[str] = []
    buffer = TopicBuffer(lambda: told.append("news"))
    buffer.on_room = lambda: told.append("room")
    buffer.on_left = lambda: told.append("left")
    for number in range(count):
        buffer.put(_item(number), size)
    assert told == ["news"] * count
    told.clear()
    return buffer, told


@pytest.mark.parametrize(
    ("count", "size", "full"),
    [
        (MOST_EVENTS - 1, 0, False),
        (MOST_EVENTS, 0, True),
        (MOST_EVENTS + 1, 0, True),
        (1, MOST_BYTES - 1, False),
        (1, MOST_BYTES, True),
        (1, 10 * MOST_BYTES, True),
        (2, MOST_BYTES // 2, True),
    ],
)
def test_topic_buffer_is_full_at_256_events_or_4_mib(count: int, size: int, full: bool) -> None:
    buffer, _ = _filled(count, size)
    assert buffer.full is full
    assert buffer.wait_for_room() is full


def test_topic_buffer_wakes_the_reader_once_when_half_empty() -> None:
    buffer, told = _filled(MOST_EVENTS, 1)
    assert buffer.wait_for_room()
    for _ in range(MOST_EVENTS // 2 - 1):
        buffer.take()
    assert told == []
    for _ in range(MOST_EVENTS // 2 + 1):
        buffer.take()
    assert told == ["room"] and buffer.take() is None and not buffer.full


def test_topic_buffer_delivers_error_after_queued_events() -> None:
    for established in (True, False):
        buffer, _ = _filled(MOST_EVENTS, 1)
        if established:
            buffer.establish()
        buffer.end(_ERROR)
        buffer.end(None)
        buffer.put(_item(0), 1)
        taken = [buffer.take() for _ in range(MOST_EVENTS + 2)]
        assert taken[-2:] == [_ERROR, None] and taken[0] == _item(0)
        assert buffer.refusal == (None if established else _ERROR) and buffer.over


def test_leave_drops_buffered_events_and_notifies_once() -> None:
    buffer, told = _filled(10, 1)
    buffer.leave()
    buffer.leave()
    buffer.put(_item(1), 1)
    assert (told, buffer.take(), buffer.stage) == (["left"], None, Stage.LEFT)
    ended, told = _filled(10, 1)
    ended.end(None)
    ended.leave()
    assert "left" not in told and ended.take() is None


def test_put_and_end_and_leave_wake_a_waiting_thread() -> None:
    acts: list[tuple[Callable[[TopicBuffer], None], TopicEvent | None]] = [
        (lambda buffer: buffer.put(_item(1), 1), _item(1)),
        (lambda buffer: buffer.end(_ERROR), _ERROR),
        (TopicBuffer.leave, None),
    ]
    for act, gets in acts:
        buffer, got = TopicBuffer(), list[TopicEvent | None]()

        def wait(buffer: TopicBuffer = buffer, got: list[TopicEvent | None] = got) -> None:
            got.append(buffer.wait())

        waiting = threading.Thread(target=wait, daemon=True)
        waiting.start()
        act(buffer)
        waiting.join(20)
        assert got == [gets]
