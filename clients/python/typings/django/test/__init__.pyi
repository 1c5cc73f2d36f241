from typing import Any

class Client:
    def get(self, path: str) -> Any: ...
