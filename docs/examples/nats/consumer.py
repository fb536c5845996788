# Prints model and tokens of every LLM call of a fleet, JSON payloads (tracer … --nats-encoding json); standard library
# only: the NATS protocol is lines of text. python3 consumer.py [127.0.0.1] [4222]
import json, socket, sys
from urllib.parse import unquote

host, port = (sys.argv[1:] + ["127.0.0.1", "4222"][len(sys.argv) - 1 :])[:2]
wire = socket.create_connection((host, int(port))).makefile("rwb")
wire.write(b'CONNECT {"verbose":false,"headers":true,"no_responders":true}\r\nSUB tracer.v1.*.*.call 1\r\n')
wire.flush()
for line in wire:
    words = line.split()
    if words[:1] == [b"PING"]:
        wire.write(b"PONG\r\n")
        wire.flush()
    elif words[:1] == [b"HMSG"]:
        head, whole = int(words[-2]), int(words[-1])
        headers, payload = (lambda b: (b[:head], b[head:whole]))(wire.read(whole + 2))
        event = json.loads(payload) if b"application/json" in headers and b"Tracer-Part" not in headers else {}
        if event.get("type") == "call" and event.get("llm"):
            machine, user = map(unquote, words[1].decode().split(".")[2:4])
            usage = event["llm"]["usage"]
            print(event["time"], f"{user}@{machine}", event["class"], event["llm"]["model"], usage.get("input"), usage.get("output"), flush=True)
