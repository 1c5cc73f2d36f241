from typing import Any

class Client:
    def get(self, path: str) -> Any: ...

class RequestFactory:
    def get(self, path: str) -> Any: ...
