"""An in-memory agent with a subset of the operations. It follows all rules except the rule that its argument names."""

import base64
import json
import sys

BROKEN = sys.argv[1] if len(sys.argv) > 1 else ""
INVALID = {"result": "error", "error": {"code": "InvalidArgument", "message": "", "cause": None}}
NOT_FOUND = {"result": "error", "error": {"code": "NotFound", "message": "", "cause": None}}
caches = {"cache": {}}


def data(request, field):
    return request[field].encode() if field in request else base64.b64decode(request[field + "Base64"])


def hit(value):
    answer = {"result": "hit", "valueBase64": base64.b64encode(value).decode()}
    try:
        return answer | {"value": value.decode()}
    except UnicodeDecodeError:
        return answer


def answer(request):
    op = request["op"]
    if op == "open":
        return {"result": "success"}
    if op == "createCache":
        caches[request["cache"]] = {}
        return {"result": "success"}
    if op == "deleteCache":
        return {"result": "success"} if caches.pop(request["cache"], None) is not None else NOT_FOUND
    items = caches.get(request.get("cache", "cache"))
    if items is None:
        return NOT_FOUND
    key = data(request, "key")
    if not key:
        return INVALID
    if op == "delete":
        if BROKEN != "DEL-1":
            items.pop(key, None)
        return {"result": "success"}
    if op == "set":
        items[key] = data(request, "value")
        return {"result": "success"}
    value = items.get(key)
    if BROKEN == "GET-4" and value == b"":
        value = None
    if BROKEN == "silence" and value is None:
        sys.exit(3)
    return {"result": "miss"} if value is None else hit(value)


print(json.dumps({"ready": {"agent": "memory", "protocol": 1}}), flush=True)
for line in sys.stdin:
    request = json.loads(line)
    print(json.dumps({"id": request["id"]} | answer(request)), flush=True)
