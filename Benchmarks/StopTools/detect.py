"""Stops of the tracks in a folder, by trackintel and movingpandas as their documentation uses them.

usage: detect.py FOLDER SECONDS...

Each FOLDER/*.csv has the columns time (seconds since 1970), latitude and longitude. For each tool, number of seconds and
track one line a stop goes to the output: tool, seconds, track, begin, end.
"""
import multiprocessing
import pathlib
import sys
import warnings

warnings.filterwarnings("ignore")

import geopandas
import movingpandas
import pandas
import trackintel
from datetime import timedelta


def seconds(moment):
    return moment.timestamp()


def trackintel_stops(table, limit):
    # https://trackintel.readthedocs.io: generate_staypoints(method="sliding", dist_threshold=100, time_threshold=5.0)
    fixes = geopandas.GeoDataFrame(
        {"user_id": 0, "tracked_at": table["moment"]},
        geometry=geopandas.points_from_xy(table["longitude"], table["latitude"]), crs="EPSG:4326")
    fixes = trackintel.io.from_geopandas.read_positionfixes_gpd(fixes, geom_col="geometry")
    _, stays = fixes.generate_staypoints(
        method="sliding", dist_threshold=100, time_threshold=limit / 60, include_last=True)
    return [(seconds(a), seconds(b)) for a, b in zip(stays["started_at"], stays["finished_at"])]


def movingpandas_stops(table, limit):
    # https://movingpandas.readthedocs.io: TrajectoryStopDetector(...).get_stop_time_ranges(max_diameter=100, ...)
    frame = geopandas.GeoDataFrame(
        {"moment": table["moment"].dt.tz_localize(None)},
        geometry=geopandas.points_from_xy(table["longitude"], table["latitude"]), crs="EPSG:4326").set_index("moment")
    track = movingpandas.Trajectory(frame, 1)
    ranges = movingpandas.TrajectoryStopDetector(track).get_stop_time_ranges(
        max_diameter=100, min_duration=timedelta(seconds=limit))
    return [(seconds(r.t_0.tz_localize("UTC")), seconds(r.t_n.tz_localize("UTC"))) for r in ranges]


tools = {"trackintel": trackintel_stops, "movingpandas": movingpandas_stops}


def lines(name):
    table = pandas.read_csv(name)
    table["moment"] = pandas.to_datetime(table["time"], unit="s", utc=True)
    found = []
    for limit in map(float, sys.argv[2:]):
        for tool, stops in tools.items():
            try:
                found += [f"{tool} {limit} {name.stem} {begin} {end}" for begin, end in stops(table, limit)]
            except Exception as problem:  # one track that a tool cannot read leaves the others
                print(tool, name.stem, type(problem).__name__, problem, file=sys.stderr)
    return found


if __name__ == "__main__":
    with multiprocessing.Pool() as workers:
        for found in workers.imap_unordered(lines, sorted(pathlib.Path(sys.argv[1]).glob("*.csv"))):
            print("\n".join(found), flush=True)
