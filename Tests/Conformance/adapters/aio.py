#!/usr/bin/env python3
"""The adapter of the Python client for asyncio (Clients/python, `gestured.aio`)."""

from __future__ import annotations

import asyncio
import json
import sys

# Also puts the client into the path.
from python import Adapter as Plain
from python import say

import gestured
from gestured import aio
from gestured.asking import TRIES


class Adapter:
    """One line after the other; a watch has a task of its own."""

    def __init__(self) -> None:
        self.plain = Plain()
        self.client: aio.Client | None = None
        self.watcher: asyncio.Task | None = None

    async def connect(self, line: dict) -> dict:
        await self.close()
        self.client = aio.connect(
            line["events"], line["updates"], line["control"], timeout=TRIES * line["timeout"],
            key=line.get("key"), server_key=line.get("server_key"))
        return {"connected": True}

    async def close(self) -> None:
        if self.client is not None:
            await self.client.close()
        if self.watcher is not None:
            await self.watcher
        self.client = self.watcher = None

    async def watch(self, line: dict) -> dict:
        self.watcher = asyncio.create_task(self.show(self.client.watch(*line["prefixes"])))
        return {"watching": True}

    async def show(self, watch: aio.Watch) -> None:
        while True:
            try:
                async for topic, body in watch:
                    say({"yield": {"topic": topic, "body": body}})
            except (gestured.NoAnswer, gestured.Refused):
                continue
            except gestured.Closed:
                return

    async def publish(self, line: dict) -> dict:
        return {"done": await self.client.publish(line["topic"], line["body"], ack=line["ack"])}

    async def request(self, line: dict) -> dict:
        return {"done": await self.client.request(line["op"], **line["fields"])}

    async def answer(self, line: dict) -> dict:
        if line["do"] in ("layers", "hit", "curve"):
            return self.plain.answer(line)
        try:
            return await getattr(self, line["do"])(line)
        except gestured.Refused as error:
            return {"failed": {"code": error.code, "message": error.message}}
        except gestured.NoAnswer as error:
            return {"failed": {"code": "no-answer", "message": str(error)}}


async def main() -> None:
    adapter = Adapter()
    while text := await asyncio.to_thread(sys.stdin.readline):
        line = json.loads(text)
        answer = await adapter.answer(line)
        say(answer)
    await adapter.close()


if __name__ == "__main__":
    asyncio.run(main())
