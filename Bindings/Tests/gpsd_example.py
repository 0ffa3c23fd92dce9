"""Runs the gpsd example beside a real gpsd that reads NMEA from us: gpsd_example.py PROGRAM DIRECTORY."""

import socket
import subprocess
import sys
import threading
import time


def sentence(body):
    checksum = 0
    for byte in body.encode():
        checksum ^= byte
    return f"${body}*{checksum:02X}\r\n".encode()


def feed(listener, count, ended):
    """Sends an epoch ten times a second to gpsd, until so many have been sent."""
    connection, _ = listener.accept()
    for epoch in range(count):
        clock, minutes = f"12{epoch // 60 % 60:02d}{epoch % 60:02d}.00", 31.0 + epoch * 0.02
        position = f"52{minutes:07.4f},N,01324.0000,E"
        connection.sendall(sentence(f"GPRMC,{clock},A,{position},20.0,0.0,010126,,,A"))
        connection.sendall(sentence(f"GPGGA,{clock},{position},1,08,1.0,40.0,M,45.0,M,,"))
        if ended.wait(0.1):  # the pace of a receiver
            break
    connection.close()


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


def wait_for(port):
    """Waits until gpsd takes clients."""
    for _ in range(200):
        try:
            return socket.create_connection(("127.0.0.1", port)).close()
        except ConnectionRefusedError:
            time.sleep(0.05)
    sys.exit("gpsd_example: expected gpsd to take clients within ten seconds")


def main(program, directory):
    with socket.create_server(("127.0.0.1", 0)) as receiver:
        ended, port = threading.Event(), free_port()
        threading.Thread(target=feed, args=(receiver, 60, ended), daemon=True).start()
        device = f"tcp://127.0.0.1:{receiver.getsockname()[1]}"
        gpsd = subprocess.Popen(["gpsd", "-N", "-n", "-S", str(port), device])
        try:
            wait_for(port)
            run = subprocess.run([program, str(port), directory], capture_output=True, text=True, timeout=60)
        finally:
            ended.set()
            gpsd.kill()
            gpsd.wait()
    print(run.stderr + run.stdout.strip()[:200])
    if '"state":"running"' not in run.stdout or '"recorded":0' in run.stdout:
        sys.exit("gpsd_example: expected a status with records")


main(*sys.argv[1:])
