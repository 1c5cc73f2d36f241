"""A client with python3-h2, which checks RFC 9113 strictly.

Arguments: PORT IN_FLIGHT CALLS REQUEST_HEX WANTED_HEX. Prints one JSON line.
"""

import collections
import json
import socket
import sys
import time

import h2.connection
import h2.events


def main(port: str, in_flight: int, calls: int, request: bytes, wanted: bytes) -> None:
    names = [(":method", "POST"), (":scheme", "http"), (":path", "/cache_client.Scs/Get"), (":authority", "localhost")]
    names += [("content-type", "application/grpc"), ("te", "trailers"), ("cache", "cache")]
    link = socket.create_connection(("127.0.0.1", int(port)), 30)
    link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    wire = h2.connection.H2Connection()
    wire.initiate_connection()
    begun: dict[int, float] = {}
    bodies: dict[int, bytes] = {}
    took: list[float] = []
    errors: collections.Counter[str] = collections.Counter()
    wrong = sent = 0
    message = b"\0" + len(request).to_bytes(4, "big")
    began = time.perf_counter()
    while len(took) < calls:
        while len(begun) < in_flight and sent < calls:
            stream = wire.get_next_available_stream_id()
            wire.send_headers(stream, names)
            wire.send_data(stream, message + request, end_stream=True)
            begun[stream], bodies[stream] = time.perf_counter(), b""
            sent += 1
        link.sendall(wire.data_to_send())
        data = link.recv(65_536)
        if not data:
            errors["the connection was closed"] += 1
            break
        for event in wire.receive_data(data):
            if isinstance(event, h2.events.DataReceived):
                bodies[event.stream_id] += event.data
                wire.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
            elif isinstance(event, h2.events.TrailersReceived):
                status = dict(event.headers).get("grpc-status", dict(event.headers).get(b"grpc-status"))
                if status not in ("0", b"0"):
                    errors[f"status {status}"] += 1
            elif isinstance(event, h2.events.StreamReset):
                errors[f"reset {event.error_code}"] += 1
            elif isinstance(event, h2.events.ConnectionTerminated):
                errors[f"goaway {event.error_code}"] += 1
            if isinstance(event, (h2.events.StreamEnded, h2.events.StreamReset)):
                took.append((time.perf_counter() - begun.pop(event.stream_id)) * 1e6)
                wrong += bodies.pop(event.stream_id)[5:] != wanted
    seconds = time.perf_counter() - began
    took.sort()
    p999, most = (took[len(took) * 999 // 1000], took[-1]) if took else (0, 0)
    print(json.dumps(dict(seconds=seconds, p999Us=p999, maxUs=most, wrong=wrong, errors=errors)))


main(sys.argv[1], *map(int, sys.argv[2:4]), *map(bytes.fromhex, sys.argv[4:6]))
