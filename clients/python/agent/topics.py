"""The operations of conformance/AGENT.md on topics. Subscriptions are kept by name between lines."""

from __future__ import annotations

import asyncio
from typing import Any

from agent.fields import data, shown, timeout
from agent.target import AgentError
from larder_cache import CacheResults, TopicEvent, TopicStart, TopicSubscription
from larder_cache import responses as r
from larder_cache.topic_event import Discontinuity, Error, Heartbeat, Item

_PATIENCE_S = 5.0


class Topics:
    """The subscriptions of one client."""

    def __init__(self) -> None:
        # The value is None if the end of the subscription was reported.
        self._named: dict[str, TopicSubscription | None] = {}

    async def publish(self, cache: CacheResults, q: dict[str, Any]) -> r.PublishResponse:
        """Publish a text, or bytes."""
        value: str | bytes = q["value"] if "value" in q else data(q, "value")
        return await cache.publish(q["topic"], value)

    async def subscribe(self, cache: CacheResults, q: dict[str, Any]) -> r.Success | r.Error:
        """Start a subscription, and wait until its first message has arrived."""
        name: str = q["as"]
        if name in self._named:
            raise AgentError(f"the subscription {name!r} already exists")
        subscription = cache.subscribe(
            q["topic"],
            resume_at=int(q.get("resumeAt", 0)),
            page=int(q.get("page", 0)),
            start=TopicStart(q.get("from", "newest")),
            heartbeats=bool(q.get("heartbeats")),
        )
        self._named[name] = subscription
        try:
            error = await subscription.established()
        except BaseException:
            del self._named[name]
            raise
        if error is not None:
            del self._named[name]
        return error or r.SUCCESS

    async def next(self, q: dict[str, Any]) -> dict[str, Any]:
        """Take events until the requested number or time is reached."""
        name, events = q["subscription"], list[dict[str, Any]]()
        subscription = self._found(name)
        within_s = timeout(q)
        try:
            async with asyncio.timeout(_PATIENCE_S if within_s is None else within_s):
                while subscription is not None and len(events) < int(q["count"]):
                    events.append(_told(await anext(subscription)))
        except TimeoutError:
            pass  # A timeout is not an error.
        except StopAsyncIteration:
            events.append({"event": "end"})
            self._named[name] = None
        return {"result": "success", "events": events}

    async def unsubscribe(self, q: dict[str, Any]) -> r.Success:
        """End a subscription and free its name."""
        subscription = self._found(q["subscription"])
        del self._named[q["subscription"]]
        if subscription is not None:
            await subscription.aclose()
        return r.SUCCESS

    def _found(self, name: str) -> TopicSubscription | None:
        if name not in self._named:
            raise AgentError(f"unknown subscription {name!r}")
        return self._named[name]


def _told(event: TopicEvent) -> dict[str, Any]:
    match event:
        case Item(value, number, page, publisher):
            is_text = isinstance(value, str)
            said = shown("value", value.encode() if isinstance(value, str) else value)
            about = {"kind": "text" if is_text else "binary", "number": str(number), "page": str(page)}
            return {"event": "item"} | said | about | {"publisher": publisher}
        case Discontinuity(last, after, page):
            return {"event": "discontinuity", "last": str(last), "next": str(after), "page": str(page)}
        case Heartbeat():
            return {"event": "heartbeat"}
        case Error(code, message, cause):
            return {"event": "error", "error": {"code": code.value, "message": message, "cause": cause}}
