"""`python jobs.py`: a job queue.

A worker takes a job from the queue. If the job does not finish in time, the worker returns it to the queue.
"""

import asyncio
import json
import os

from larder_cache import Cache, CacheClient, CredentialProvider


async def run(job: dict[str, object]) -> str:
    """Run a job. The second attempt at the job is fast."""
    await asyncio.sleep(job["takes_s"] if job["attempts"] == 1 else 0)  # type: ignore[arg-type]
    return f"{job['name']} after {job['attempts']}"


async def work(cache: Cache, done: list[str]) -> None:
    while (taken := await cache.list_pop_front("jobs")) is not None:
        job = json.loads(taken.value)
        job["attempts"] += 1
        try:
            done.append(await asyncio.wait_for(run(job), 0.05))
        except TimeoutError:
            await cache.list_push_back("jobs", json.dumps(job), ttl=3_600)


async def main() -> list[str]:
    credentials = CredentialProvider.from_string(os.environ.get("LARDER_URL", "http://127.0.0.1:8080"))
    done: list[str] = []
    async with CacheClient(credentials, default_ttl=60) as client:
        cache = client.cache("cache")
        await cache.delete("jobs")
        jobs = [("mail", 0), ("report", 60), ("backup", 0)]
        texts = [json.dumps({"name": name, "takes_s": takes, "attempts": 0}) for name, takes in jobs]
        await cache.list_concatenate_back("jobs", texts)
        await asyncio.gather(work(cache, done), work(cache, done))
    return sorted(done)


if __name__ == "__main__":
    print("\n".join(asyncio.run(main())))
