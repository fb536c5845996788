# A WebSocket server and client by Debian's python3-websockets, for the recordings: `websocket.py serve MODE` prints its port;
# `websocket.py talk PORT MODE` says a dozen things and reads the answers. MODE says what is negotiated for compression.
import asyncio
import json
import sys

import websockets
from websockets.extensions.permessage_deflate import ClientPerMessageDeflateFactory, ServerPerMessageDeflateFactory

SETTINGS = {
    "takeover": {},
    "no-takeover": {"server_no_context_takeover": True, "client_no_context_takeover": True},
    "small-window": {"server_max_window_bits": 9, "client_max_window_bits": 9},
}


async def answer(socket):
    async for message in socket:
        if isinstance(message, bytes):
            await socket.send(message[::-1])
            continue
        await socket.ping()
        await socket.send(json.dumps({"heard": message, "length": len(message), "note": "grüße ✓"}))
        # In fragments, with room between them for control frames.
        await socket.send(["one ", "message ", "in ", f"pieces: {message[:40]}"])
        await socket.send(bytes(range(256)) + message.encode()[:300])


async def serve(mode):
    extensions = [ServerPerMessageDeflateFactory(**SETTINGS[mode])] if mode in SETTINGS else []
    async with websockets.serve(
        answer, "127.0.0.1", 0, compression=None, extensions=extensions, ping_interval=None
    ) as server:
        print(server.sockets[0].getsockname()[1], flush=True)
        await asyncio.Future()


async def talk(port, mode):
    extensions = [ClientPerMessageDeflateFactory(**SETTINGS[mode])] if mode in SETTINGS else []
    url = f"ws://127.0.0.1:{port}/talk"
    async with websockets.connect(url, compression=None, extensions=extensions, ping_interval=None) as socket:
        for n in range(6):
            text = json.dumps({"type": "response.create", "n": n, "input": "say it again, and again. " * (40 * n + 1)})
            await socket.send(text if n % 2 == 0 else [text[:20], text[20:100], text[100:]])
            await socket.send(bytes([n]) * (3000 * n + 1))
            for _ in range(4):
                await socket.recv()
        await socket.send("x" * 70_000)
        for _ in range(3):
            await socket.recv()


if sys.argv[1] == "serve":
    asyncio.run(serve(sys.argv[2]))
else:
    asyncio.run(talk(int(sys.argv[2]), sys.argv[3]))
