"""Tests of the Python package. Needs TRACKENGINE_LIBRARY or an installed wheel, and LAYOUT: the output of layout.c."""

import asyncio
import ctypes
import gc
import math
import os
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
import unittest

import trackengine
from trackengine import AsyncTracker, DeliveryError, Filter, Fix, Sink, Tracker, _library

try:
    import numpy
except ImportError:
    numpy = None

START = 1_772_359_200 * 10**9


def drive(count):
    """A fix a second, northward at 12 m/s, with a rest of two minutes in each ten."""
    latitude, fixes = 52.0, []
    for second in range(count):
        speed = 0.0 if second % 600 >= 480 else 12.0
        latitude += speed / 111_000
        fixes.append(Fix(START + second * 10**9, latitude, 13.4, speed=speed, course=0.0))
    return fixes


def array_of(fixes):
    array = trackengine.fix_array(len(fixes))
    for place, fix in zip(array, fixes):
        place["time"], place["latitude"], place["longitude"] = fix.time, fix.latitude, fix.longitude
        place["speed"], place["course"] = fix.speed, fix.course
    return array


class LayoutTests(unittest.TestCase):
    def test_structs_have_the_layout_of_the_header(self):
        lines = [line.split() for line in os.environ["LAYOUT"].strip().splitlines()]
        self.assertGreater(len(lines), 60)
        structs = {"te_fix": _library.CFix, "te_decision": _library.CDecision, "te_decisions": _library.CDecisions,
                   "te_filter_config": _library.CFilterConfig, "te_record": _library.CRecord, "te_sink": _library.CSink,
                   "te_tracker_config": _library.CTrackerConfig}
        for struct, member, offset in lines:
            kind = structs[struct]
            found = ctypes.sizeof(kind) if member == "sizeof" else getattr(kind, member).offset
            self.assertEqual(found, int(offset), f"{struct}.{member}")
        for name, kind in structs.items():
            named = {member for struct, member, _ in lines if struct == name} - {"sizeof"}
            self.assertEqual({field[0] for field in kind._fields_}, named, name)


class FilterTests(unittest.TestCase):
    def test_a_drive_has_records_by_distance_and_a_rest(self):
        filter = Filter({"distanceFilter": 100, "disableSpeedMultiplier": True})
        decisions = filter.push(drive(600))
        records = [decision for decision in decisions if decision.is_record]
        # 480 s at 12 m/s are 5760 m; a record each 9 s, the first one that is 100 m away.
        self.assertEqual([record.fix for record in records[:3]], [0, 9, 18])
        self.assertEqual(records[0].reason, "first")
        self.assertEqual([record.reason for record in records].count("still"), 1)
        self.assertAlmostEqual(filter.odometer, 5760, delta=60)

    def test_undecided_fixes_are_decided_by_a_flush(self):
        filter = Filter('{"record": "deviation", "maximumInterval": 0}')
        self.assertIn("undecided", {decision.kind for decision in filter.push(drive(100))})
        self.assertEqual([(decision.fix, decision.reason) for decision in filter.flush()], [(99, "deviation")])

    def test_wrong_settings_name_the_key_and_the_range(self):
        with self.assertRaises(trackengine.SettingsError) as raised:
            Filter({"distanceFilter": -1})
        self.assertEqual(str(raised.exception), "tracking.distanceFilter = -1: expected 0 to 100000 metres")

    def test_a_time_is_a_datetime_with_a_zone_or_nanoseconds(self):
        with self.assertRaises(ValueError):
            Filter().push([Fix(__import__("datetime").datetime(2026, 1, 1), 0, 0)])

    @unittest.skipIf(numpy is None, "NumPy is not installed")
    def test_arrays_and_lists_have_the_same_decisions(self):
        for tracking in ({}, {"record": "deviation"}, {"record": "deviation", "stillAfter": 5, "standbyAfter": 9}):
            fixes = drive(3000)
            listed, arrayed = Filter(tracking), Filter(tracking)
            expected = listed.push(fixes)
            found = arrayed.push(array_of(fixes))
            self.assertEqual([decision.fix for decision in expected], found["fix"].tolist())
            self.assertEqual([decision.time for decision in expected], found["time"].tolist())
            self.assertEqual([decision.odometer for decision in expected], found["odometer"].tolist())
            self.assertEqual(listed.flush(), arrayed.flush())

    @unittest.skipIf(numpy is None, "NumPy is not installed")
    def test_other_arrays_are_refused(self):
        with self.assertRaises(TypeError):
            Filter().push(numpy.zeros(3))
        with self.assertRaises(TypeError):
            Filter().push(trackengine.fix_array(10)[::2])
        with self.assertRaises(ValueError):
            Filter().push(numpy.zeros(1, dtype=trackengine.fix_array(1).dtype))


class TrackerTests(unittest.TestCase):
    def test_a_sink_gets_each_record_once_and_in_order(self):
        records = []
        with Tracker("van", recorded=True, sinks=[Sink("list", records.extend, {"syncThreshold": 7})]) as tracker:
            tracker.push(*drive(300))
            tracker.sync()
            status = tracker.status()
        self.assertEqual([record.sequence for record in records], sorted({record.sequence for record in records}))
        self.assertEqual(status["sources"][0]["recorded"], len(records))
        self.assertEqual((status["state"], status["sinks"][0]["delivered"]), ("running", len(records)))
        self.assertEqual(len(records[0].id), 36)
        self.assertEqual((records[0].cause, records[0].fix.speed, records[0].fix.altitude), ("first", 12.0, None))

    def test_a_failed_delivery_is_tried_again(self):
        attempts, done = [], threading.Event()

        def deliver(records):
            attempts.append([record.sequence for record in records])
            if len(attempts) == 1:
                raise DeliveryError("no connection", retry_after=0.001)
            if len(attempts) == 2:
                return 1
            done.set()

        with Tracker("van", recorded=True, sinks=[Sink("s", deliver, {"syncThreshold": 1, "maxBatchSize": 3})]) as tracker:
            tracker.push(*drive(100))
            self.assertTrue(done.wait(30), "expected a third delivery")
        self.assertEqual(attempts[0], attempts[1])
        self.assertEqual(attempts[2][0], attempts[1][1], "expected the next delivery to begin after the settled record")

    def test_a_store_keeps_records_for_the_next_tracker(self):
        records = []
        with tempfile.TemporaryDirectory() as directory:
            with Tracker("van", directory=directory, recorded=True) as tracker:
                tracker.push(*drive(100))
                count = tracker.status()["store"]["records"]
                with self.assertRaises(trackengine.StoreError) as raised:
                    Tracker("van", directory=directory)
                self.assertIn("locked", str(raised.exception))
            with Tracker("van", directory=directory, recorded=True, sinks=[Sink("s", records.extend)]) as tracker:
                tracker.sync()
        self.assertEqual(len(records), count)
        self.assertGreater(count, 3)

    def test_places_visits_and_trips_become_events(self):
        records = []
        depot = {"type": "Feature", "id": "depot", "geometry": {"type": "Point", "coordinates": [13.4, 52.03]},
                 "properties": {"name": "Depot", "radius": 200}}
        rest = [Fix(fix.time, drive(300)[-1].latitude, 13.4, speed=0.0) for fix in drive(1000)[300:]]
        with Tracker("van", recorded=True, sinks=[Sink("list", records.extend)], places=depot,
                     events={"visits": True, "trips": True, "stopAfter": 60}) as tracker:
            tracker.push(*drive(300), *rest)
            tracker.sync()
        events = [record.event for record in records if record.event]
        self.assertEqual([event["transition"]["event"] for event in events if event["kind"] == "transition"],
                         ["enter", "leave"])
        self.assertIn("visit", [event["kind"] for event in events])
        self.assertIn("trip", [event["kind"] for event in events])
        self.assertGreater(len(records), len(events))
        self.assertEqual(sorted(record.sequence for record in records), [record.sequence for record in records])

    def test_wrong_events_and_places_name_their_part(self):
        for settings, expected in (({"events": {"stopAfter": 1}}, "events.stopAfter"), ({"places": "[1]"}, "places"),
                                   ({"events": {"stops": True}}, "events.stops")):
            with self.assertRaises(trackengine.SettingsError) as raised:
                Tracker("van", **settings)
            self.assertTrue(str(raised.exception).startswith(expected), str(raised.exception))

    def test_a_stopped_tracker_takes_no_fix(self):
        tracker = Tracker("van")
        tracker.stop()
        tracker.stop()
        with self.assertRaises(trackengine.StoppedError):
            tracker.push(Fix(time.time_ns(), 1, 1))

    def test_a_tracker_that_nobody_stops_is_freed(self):
        before = set(threading.enumerate())
        for _ in range(5):
            Tracker("van", sinks=[Sink("s", lambda records: None)]).push(Fix(time.time_ns(), 1, 1))
        gc.collect()
        for thread in set(threading.enumerate()) - before:
            thread.join(30)
            self.assertFalse(thread.is_alive(), "expected the thread of a sink to end with its tracker")

    def test_a_callback_with_a_wrong_result_is_tried_again(self):
        async def coroutine(records):
            return None

        def leave(records):
            raise SystemExit

        wrong = [lambda records: -1, lambda records: len(records) + 1, lambda records: "all", lambda records: True,
                 coroutine, leave]
        attempts, done = [], threading.Event()

        def deliver(records):
            attempts.append(records)
            if len(attempts) <= len(wrong):
                return wrong[len(attempts) - 1](records)
            done.set()
            return None

        sync = {"syncThreshold": 1}
        with Tracker("van", recorded=True, sinks=[Sink("s", deliver, sync)]) as tracker:
            tracker.push(*drive(30))
            while not done.is_set():
                tracker.sync()
        self.assertEqual([batch[0].sequence for batch in attempts], [1] * len(attempts))

    def test_a_tracker_that_cannot_start_leaves_no_thread(self):
        before = set(threading.enumerate())
        for _ in range(5):
            with self.assertRaises(trackengine.StoreError):
                Tracker("van", directory="/dev/null/store", sinks=[Sink("s", lambda records: None)])
        for thread in set(threading.enumerate()) - before:
            thread.join(30)
            self.assertFalse(thread.is_alive(), "expected the thread of a sink to end with its tracker")

    def test_a_handler_at_the_exit_meets_a_closed_tracker(self):
        program = """
            import atexit, trackengine
            def ask():
                for call in (tracker.status, tracker.stop):
                    try:
                        call()
                    except trackengine.StoppedError as error:
                        print(error)
            atexit.register(ask)
            tracker = trackengine.Tracker("van", sinks=[trackengine.Sink("s", lambda records: None)])
            """
        run = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, timeout=600)
        self.assertEqual((run.returncode, run.stdout), (0, "expected a tracker that is not closed\n" * 2), run.stderr)

    def test_a_forked_process_gets_errors_and_ends(self):
        program = """
            import os, sys, trackengine
            tracker = trackengine.Tracker("van")
            if os.fork() == 0:
                for call in (tracker.status, lambda: trackengine.Tracker("car")):
                    try:
                        call()
                    except trackengine.StoppedError:
                        print("stopped", flush=True)
                sys.exit(7)
            print(os.waitstatus_to_exitcode(os.wait()[1]), tracker.status()["state"])
            """
        run = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, timeout=600)
        self.assertEqual(run.stdout, "stopped\nstopped\n7 running\n", run.stderr)

    def test_coroutines_deliver(self):
        async def run():
            records = []

            async def deliver(batch):
                await asyncio.sleep(0)
                records.extend(batch)

            async with AsyncTracker("van", recorded=True, sinks=[Sink("s", deliver)]) as tracker:
                await tracker.push(*drive(200))
                await tracker.sync()
                return len(records), (await tracker.status())["store"]["lastSequence"]

        delivered, last = asyncio.run(run())
        self.assertEqual(delivered, last)
        self.assertGreater(delivered, 5)


if __name__ == "__main__":
    unittest.main()
