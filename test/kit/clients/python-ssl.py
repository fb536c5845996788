# Python's ssl module (SSL_read_ex and SSL_write_ex of the system's libssl): HTTP/1.1 by hand on one kept-alive connection.
#   python-ssl.py PORT CA
# Says {"ready": true, "pid": N}, waits for a line, uploads 5 MB to /kit/echo, downloads 5 MB, says {"done": true, ...}.
import hashlib
import json
import os
import socket
import ssl
import sys

FIVE_MB = 5_000_000


def exchange(conn, method, path, body=b""):
    head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {len(body)}\r\n\r\n"
    conn.sendall(head.encode() + body)
    reader = conn.makefile("rb")
    status = int(reader.readline().split()[1])
    headers = {}
    while (line := reader.readline().strip()):
        name, _, value = line.decode().partition(":")
        headers[name.lower()] = value.strip()
    data = read_body(reader, headers)
    return {"status": status, "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}


def read_body(reader, headers):
    if "content-length" in headers:
        return reader.read(int(headers["content-length"]))
    pieces = []
    while (size := int(reader.readline(), 16)):
        pieces.append(reader.read(size))
        reader.readline()
    reader.readline()
    return b"".join(pieces)


def main():
    port, ca = int(sys.argv[1]), sys.argv[2]
    context = ssl.create_default_context(cafile=ca)
    print(json.dumps({"ready": True, "pid": os.getpid()}), flush=True)
    if not sys.stdin.readline():
        sys.exit(3)
    with socket.create_connection(("127.0.0.1", port)) as raw, context.wrap_socket(raw, server_hostname="localhost") as conn:
        results = [
            exchange(conn, "POST", "/kit/echo", os.urandom(FIVE_MB)),
            exchange(conn, "GET", f"/kit/bytes?n={FIVE_MB}&seed=31"),
            exchange(conn, "GET", "/kit/sse?n=2000&seed=32"),
        ]
    print(json.dumps({"done": True, "results": results}), flush=True)


main()
