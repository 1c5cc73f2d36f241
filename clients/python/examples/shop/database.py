"""A simulation of the shop's database. A query takes 50 ms, and at most four queries run concurrently."""

import asyncio
import os

URL = os.environ.get("LARDER_URL", "http://127.0.0.1:8080")


class Database:
    def __init__(self) -> None:
        self.queries = 0
        self.is_down = False
        self.discount = 0
        self._connections = asyncio.Semaphore(4)

    async def product(self, number: int) -> str:
        """Return the text of a product page. Raises ConnectionError while the database is down."""
        async with self._connections:
            self.queries += 1
            await asyncio.sleep(0.05)
            if self.is_down:
                raise ConnectionError("the database is down")
            return f"Product {number} costs {10 * number - self.discount} euros"
