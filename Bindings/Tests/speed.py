"""Times the filter on a NumPy array of a million fixes, the best of seven."""

import sys
import time

import numpy

import trackengine

COUNT = 1_000_000
second = numpy.arange(COUNT)
speed = numpy.where(second % 600 < 90, 0.0, 14.0)
course = numpy.cumsum(numpy.where(second % 37 == 0, 0.3, 0.0))
fixes = trackengine.fix_array(COUNT)
fixes["time"] = 1_772_359_200 * 10**9 + second * 10**9
fixes["latitude"] = 52 + numpy.cumsum(speed * numpy.cos(course)) / 111_000
fixes["longitude"] = 13 + numpy.cumsum(speed * numpy.sin(course)) / 67_000
fixes["speed"] = speed

best = float("inf")
for _ in range(7):
    filter = trackengine.Filter()
    begin = time.perf_counter()
    decisions = filter.push(fixes)
    best = min(best, time.perf_counter() - begin)
records = numpy.count_nonzero(decisions["kind"] == 1)
print(f"speed: {COUNT / best / 1e6:.1f} M fixes/s from Python, {best / COUNT * 1e9:.1f} ns a fix, {records} records")
if len(sys.argv) > 1 and COUNT / best < float(sys.argv[1]):
    sys.exit(f"speed: expected at least {sys.argv[1]} fixes/s")
