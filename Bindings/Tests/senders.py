"""Sends from a store to a real mosquitto, which is away at first: senders.py DIRECTORY. Needs libtrackengine-agent."""

import json
import os
import socket
import subprocess
import sys
import time

from trackengine import Fix, SettingsError, Tracker

COUNT = 200
START = 1_772_359_200 * 10**9


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


def start_broker(directory, port):
    """Starts mosquitto, and returns when it takes clients."""
    path = os.path.join(directory, "mosquitto.conf")
    with open(path, "w") as file:
        file.write(f"listener {port} 127.0.0.1\nallow_anonymous true\npersistence false\n")
    broker = subprocess.Popen(["mosquitto", "-c", path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(600):
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return broker
        except ConnectionRefusedError:
            time.sleep(0.05)  # the pace of the question
    raise SystemExit("mosquitto does not take clients")


class Subscriber:
    """A client of MQTT 3.1.1 that takes what is published on a topic."""

    def __init__(self, port, topic):
        self.connection = socket.create_connection(("127.0.0.1", port), timeout=60)
        self.stream = self.connection.makefile("rb")
        self.send(0x10, b"\x00\x04MQTT\x04\x02\x00\x00" + self.text("test"))
        assert self.packet()[0] == 0x20
        self.send(0x82, b"\x00\x01" + self.text(topic) + b"\x01")
        assert self.packet()[0] == 0x90

    @staticmethod
    def text(text):
        return len(text).to_bytes(2, "big") + text.encode()

    def send(self, kind, body):
        assert len(body) < 128
        self.connection.sendall(bytes([kind, len(body)]) + body)

    def packet(self):
        kind, length, shift = self.stream.read(1)[0], 0, 0
        while True:
            byte = self.stream.read(1)[0]
            length, shift = length | (byte & 127) << shift, shift + 7
            if byte < 128:
                return kind, self.stream.read(length)

    def message(self):
        """The next message, which is acknowledged."""
        kind, body = self.packet()
        assert kind & 0xF0 == 0x30, kind
        start = 2 + int.from_bytes(body[:2], "big")
        if kind & 6:
            self.send(0x40, body[start:start + 2])
            start += 2
        return json.loads(body[start:])


def run(directory, port, push):
    senders = [{"type": "mqtt", "name": "broker", "url": f"mqtt://127.0.0.1:{port}", "syncThreshold": 10}]
    tracking = {"distanceFilter": 1, "disableSpeedMultiplier": True}
    with Tracker("van-7", directory=directory, tracking=tracking, recorded=True, senders=senders) as tracker:
        tracker.push(*push)
        return tracker.status()["sources"][0]["recorded"], tracker


def expect_error(key, senders):
    try:
        with Tracker("van-7", senders=senders):
            pass
    except SettingsError as error:
        assert key in str(error), f"expected {key} in: {error}"
    else:
        raise SystemExit(f"expected an error of {key}")


def main():
    directory = sys.argv[1]
    port = free_port()
    expect_error("sinks.mqtt.url", [{"type": "mqtt"}])
    expect_error("sinks.home.oops", [{"type": "mqtt", "name": "home", "url": "mqtt://127.0.0.1", "oops": 1}])
    expect_error("sinks.mqtt.password", [{"type": "mqtt", "url": "mqtt://127.0.0.1", "username": "van",
                                          "password": {"file": directory + "-missing"}}])
    expect_error("sinks.http.type", [{"type": "http"}])
    expect_error("sinks", "{}")
    # Without a broker records wait in the store, through the end of the tracker.
    fixes = [Fix(START + second * 10**9, 52.0 + second * 1e-4, 13.4, speed=11.0) for second in range(COUNT)]
    recorded, _ = run(directory, port, fixes)
    assert recorded == COUNT, recorded
    os.makedirs(directory + "-broker", exist_ok=True)
    broker = start_broker(directory + "-broker", port)
    try:
        subscriber = Subscriber(port, "+/van-7/record")
        run(directory, port, [])
        times = [subscriber.message()["time"] for _ in range(COUNT)]
    finally:
        broker.terminate()
        broker.wait()
    assert times == sorted(set(times)) and len(times) == COUNT, times
    print(f"{len(times)} records over MQTT")


main()
