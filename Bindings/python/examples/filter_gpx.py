import sys
import xml.etree.ElementTree as xml
from datetime import datetime
from trackengine import Filter, Fix

points = xml.parse(sys.argv[1]).findall(".//{*}trkpt")
times = [datetime.fromisoformat(point.findtext("{*}time").replace("Z", "+00:00")) for point in points]
fixes = [Fix(time, float(point.get("lat")), float(point.get("lon"))) for time, point in zip(times, points)]
track = Filter({"record": "deviation"})
records = [decision for decision in [*track.push(fixes), *track.flush()] if decision.is_record]
print(f"{len(records)} records of {len(fixes)} fixes")
