"""One gRPC call on a connection: a request message, response messages, and a status.

Performs no input or output.
"""

from __future__ import annotations

from collections.abc import Callable

from larder_cache._internal.http2.body_length import BROKEN_LENGTH, length_of
from larder_cache._internal.http2.grpc_status import not_grpc, status_of
from larder_cache.errors import INTERNAL, RESOURCE_EXHAUSTED, Failure

# The maximum size of a message. Source: LIM-4, 10.5 MB.
MAX_MESSAGE = 11_010_048
_LENGTH = Failure(INTERNAL, f"HTTP/2 protocol error from the server: {BROKEN_LENGTH}")


class Exchange:
    """One call. The session sets the fields that describe the stream.

    `on_end` is called exactly once, unless the call is cancelled.
    """

    __slots__ = (
        *("block", "request", "on_end", "id", "window", "taken", "sent_with", "held", "position"),
        *("messages", "_most", "_has_head", "_status", "_body", "_needed", "_left"),
    )

    def __init__(
        self, block: bytes, request: bytes, on_end: Callable[[Failure | None], None], most_messages: int
    ) -> None:
        """Create a call that is not yet started.

        Args:
            block: The encoded request headers.
            request: The request message.
            on_end: Called with None if the server ended the call with OK, otherwise with the failure.
            most_messages: The maximum number of response messages.
        """
        self.block = block
        self.request = request
        self.on_end = on_end
        # The id of the stream. 0 means that the call was not started.
        self.id = 0
        # The number of bytes that the server still accepts on the stream, and the number of bytes received since credit
        # was last returned.
        self.window = 0
        self.taken = 0
        # The sequence number of the write that contains the request headers.
        self.sent_with = 0
        # A request that waits for credit, and the number of its bytes already sent.
        self.held = b""
        self.position = 0
        self.messages: list[bytes] = []
        self._most = most_messages
        self._has_head = False
        self._status: Failure | None = None
        self._body = bytearray()
        self._needed = 5
        # The number of bytes of the body still to be received. None means that the headers do not announce a length.
        self._left: int | None = None

    # The session calls the following methods. Each returns None, or the reason why the stream must be reset.

    def receive_headers(self, headers: dict[str, str], is_last: bool) -> Failure | None:
        """Process a header block of the response."""
        if self._has_head:
            if not is_last:
                return Failure(INTERNAL, "HTTP/2 protocol error from the server: headers in the middle of a response")
            self._status = status_of(headers) or self._status
            return None
        http = headers.get(":status", "")
        if not http:
            return Failure(INTERNAL, "HTTP/2 protocol error from the server: a response without a status")
        if http.startswith("1") and not is_last:
            return None
        self._has_head = True
        self._left = length_of(headers)
        if self._left is not None and self._left < 0:
            return _LENGTH
        self._status = status_of(headers)
        self.receive_head(headers)
        return not_grpc(headers) if self._status is None else None

    def receive_data(self, data: bytes) -> Failure | None:
        """Process a part of the response's body."""
        if not self._has_head:
            return Failure(INTERNAL, "HTTP/2 protocol error from the server: data before headers")
        if self._left is not None:
            self._left -= len(data)
            if self._left < 0:
                return _LENGTH
        # Fast path: usually one frame contains exactly one message.
        if not self._body and len(data) >= 5 and not data[0] and int.from_bytes(data[1:5], "big") == len(data) - 5:
            return self.receive_message(data[5:])
        self._body += data
        while len(self._body) >= self._needed:
            if self._needed == 5:
                if self._body[0]:
                    return Failure(INTERNAL, "the server sent a compressed message, which this client does not support")
                size = int.from_bytes(self._body[1:5], "big")
                if size > MAX_MESSAGE:
                    return Failure(
                        RESOURCE_EXHAUSTED,
                        f"the response message has {size:,} bytes; at most {MAX_MESSAGE:,} are allowed",
                    )
                self._needed = 5 + size
                if len(self._body) < self._needed:
                    break
            message = bytes(memoryview(self._body)[5 : self._needed])
            del self._body[: self._needed]
            self._needed = 5
            if (failure := self.receive_message(message)) is not None:
                return failure
        return None

    def outcome(self) -> Failure | None:
        """Return the outcome of the call, once the server has ended the stream."""
        status = self._status
        if self._left:
            return _LENGTH
        if status is None:
            return Failure(INTERNAL, "the server ended the stream without a status")
        if status.status:
            return status
        return Failure(INTERNAL, "the server ended the stream in the middle of a message") if self._body else None

    # Streaming calls override the following methods.

    def receive_head(self, headers: dict[str, str]) -> None:
        """Process the response's first headers."""

    def receive_message(self, message: bytes) -> Failure | None:
        """Process one message."""
        if len(self.messages) >= self._most:
            return Failure(INTERNAL, f"expected at most {self._most} response messages, got more")
        self.messages.append(message)
        return None

    @property
    def reads_on(self) -> bool:
        """Whether to receive more messages. If so, credit is returned for the received bytes."""
        return True
