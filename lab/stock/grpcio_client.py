"""Python's stock gRPC client. Arguments: PORT IN_FLIGHT CALLS REQUEST_HEX WANTED_HEX. Writes one JSON line."""

import asyncio
import collections
import json
import sys
import time

import grpc.aio


async def main(port: str, in_flight: int, calls: int, request: bytes, wanted: bytes) -> None:
    took: list[float] = []
    errors: collections.Counter[str] = collections.Counter()
    wrong = 0
    left = iter(range(calls))
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        get = channel.unary_unary("/cache_client.Scs/Get")

        async def caller() -> None:
            nonlocal wrong
            for _ in left:
                at = time.perf_counter()
                try:
                    answer = await get(request, metadata=(("cache", "cache"),), timeout=30)
                    wrong += answer != wanted
                except grpc.aio.AioRpcError as error:
                    errors[f"{error.code().name}: {error.details()}"] += 1
                took.append((time.perf_counter() - at) * 1e6)

        began = time.perf_counter()
        await asyncio.gather(*(caller() for _ in range(in_flight)))
        seconds = time.perf_counter() - began
    took.sort()
    p999 = took[calls * 999 // 1000]
    print(json.dumps(dict(seconds=seconds, p999Us=p999, maxUs=took[-1], wrong=wrong, errors=errors)))


asyncio.run(main(sys.argv[1], *map(int, sys.argv[2:4]), *map(bytes.fromhex, sys.argv[4:6])))
