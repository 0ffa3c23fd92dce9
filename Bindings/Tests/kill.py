"""Kills a process with an SQLite store again and again: python3 kill.py TRIES. Each record of a push that has returned
must be in the store afterwards, and reach a sink once."""

import os
import random
import select
import signal
import subprocess
import sys
import tempfile
import time

from trackengine import Fix, Sink, Tracker

# Every fix at another position is a record.
TRACKING = {"distanceFilter": 0, "disableSpeedMultiplier": True, "stillAfter": 0, "standbyAfter": 0}


def child(directory):
    tracker = Tracker("van-7", directory=directory, tracking=TRACKING)
    longitude = random.uniform(0, 100)
    while True:
        fix = Fix(time.time_ns(), 50.0, longitude)
        longitude += 1e-3
        tracker.push(fix)
        os.write(1, f"{fix.time}\n".encode())


def run(directory, generator):
    """Starts a child, kills it after a while, and returns the times of the fixes that it reported as kept."""
    process = subprocess.Popen([sys.executable, __file__, "--child", directory], stdout=subprocess.PIPE)
    text = b""
    pushes = generator.randrange(1, 400)  # the moment of the kill, by the child's own progress
    while text.count(b"\n") < pushes:
        if not select.select([process.stdout], [], [], 60)[0]:
            process.kill()
            sys.exit("kill: expected the child to push within a minute")
        part = os.read(process.stdout.fileno(), 65536)
        if not part:
            sys.exit("kill: expected the child to run until it is killed")
        text += part
    process.send_signal(signal.SIGKILL)
    text += process.stdout.read()
    process.wait()
    return [int(line) for line in text.split(b"\n")[:-1]]


def main(tries):
    generator = random.Random(7)
    acknowledged, delivered = [], []
    with tempfile.TemporaryDirectory() as directory:
        for _ in range(tries):
            acknowledged += run(directory, generator)
        sink = Sink("list", lambda records: delivered.extend(record.fix.time for record in records))
        with Tracker("van-7", directory=directory, tracking=TRACKING, sinks=[sink]) as tracker:
            tracker.sync()
    lost = set(acknowledged) - set(delivered)
    if lost or len(delivered) != len(set(delivered)) or len(acknowledged) < tries:
        sys.exit(f"kill: {len(lost)} of {len(acknowledged)} acknowledged records are lost, expected none; "
                 f"{len(delivered) - len(set(delivered))} came twice")
    print(f"kill: {tries} kills, {len(acknowledged)} acknowledged records, 0 lost, {len(delivered)} delivered")


if __name__ == "__main__":
    if sys.argv[1] == "--child":
        child(sys.argv[2])
    main(int(sys.argv[1]))
