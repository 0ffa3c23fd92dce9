import asyncio
import time
from trackengine import AsyncTracker, Fix, Sink


async def deliver(records):
    await asyncio.sleep(0.01)  # a request to a server
    print([record.sequence for record in records])


async def main():
    async with AsyncTracker("van-7", sinks=[Sink("server", deliver, {"syncThreshold": 5})]) as tracker:
        for second in range(60):
            await tracker.push(Fix(time.time_ns() + second * 10**9, 52.5, 13.4 + second * 1e-4, speed=6.8))


asyncio.run(main())
