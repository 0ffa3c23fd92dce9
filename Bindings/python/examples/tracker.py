import sys
import time
from trackengine import Fix, Sink, Tracker


def deliver(records):
    for record in records:
        print(record.time, record.fix.latitude, record.fix.longitude, record.cause)


with Tracker("van-7", directory=sys.argv[1], sinks=[Sink("console", deliver, {"syncThreshold": 5})]) as tracker:
    for second in range(60):
        tracker.push(Fix(time.time_ns() + second * 10**9, 52.5, 13.4 + second * 1e-4, speed=6.8))
