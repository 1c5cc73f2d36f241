"""`python topics.py`: publish to a topic, subscribe, and resume later after the last event."""

import asyncio
import os

from larder_cache import CacheClient, CredentialProvider, TopicStart
from larder_cache.topic_event import Discontinuity, Error, Item


async def main() -> list[str]:
    credentials = CredentialProvider.from_string(os.environ.get("LARDER_URL", "http://127.0.0.1:8080"))
    lines: list[str] = []
    async with CacheClient(credentials, default_ttl=60) as client:
        cache = client.cache("cache")

        # Receive new messages only. `async with` waits until the server has confirmed the subscription.
        async with cache.subscribe("orders", start=TopicStart.NOW) as orders:
            for number in range(1, 4):
                await cache.publish("orders", f"order {number}")
            last: Item | None = None
            async for event in orders:
                match event:
                    case Item(value):
                        last = event
                        lines.append(f"{value}")
                        if len(lines) == 2:
                            break  # Leaving the loop closes the subscription.
                    case Discontinuity():
                        lines.append("missed messages")
                    case Error() as error:  # The last event: a retry would fail too.
                        raise error.to_exception()
                    case _:
                        pass

        # Later, perhaps in another process: resume at the number after the last event, on the same page.
        assert last is not None
        async for event in cache.subscribe("orders", resume_at=last.number + 1, page=last.page):
            if isinstance(event, Item):
                lines.append(f"later, {event.value}")
                break
    return lines


if __name__ == "__main__":
    print("\n".join(asyncio.run(main())))
