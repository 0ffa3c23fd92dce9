"""Fixes, decisions and records."""

from __future__ import annotations

import ctypes
import json
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Any, Iterable, Optional, Union

from ._library import CDecision, CFix, CRecord, lib

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
ACTIVITIES = (None, "unknown", "stationary", "walking", "running", "cycling", "driving")
KINDS = ("", "record", "reject", "undecided", "standby")
_NAN = float("nan")


def nanoseconds(time: Union[int, datetime]) -> int:
    """The nanoseconds since 1970 of a time: they themselves, or a datetime with a time zone."""
    if isinstance(time, datetime):
        if time.tzinfo is None:
            raise ValueError("time: expected a datetime with a time zone")
        return (time - EPOCH) // timedelta(microseconds=1) * 1000
    return time


@dataclass(frozen=True)
class Fix:
    """A position that a receiver reported, in SI units; None is unknown.

    time is a datetime with a time zone, or nanoseconds since 1970.
    """

    time: Union[int, datetime]
    latitude: float
    longitude: float
    altitude: Optional[float] = None
    horizontal_accuracy: Optional[float] = None
    speed: Optional[float] = None
    course: Optional[float] = None
    ellipsoidal_altitude: Optional[float] = None
    vertical_accuracy: Optional[float] = None
    speed_accuracy: Optional[float] = None
    course_accuracy: Optional[float] = None
    horizontal_dilution: Optional[float] = None
    position_dilution: Optional[float] = None
    satellites_used: Optional[int] = None
    satellites_visible: Optional[int] = None
    mode: Optional[int] = None
    status: Optional[int] = None
    activity: Optional[str] = None


_NUMBERS = (
    "altitude", "ellipsoidal_altitude", "horizontal_accuracy", "vertical_accuracy", "speed", "speed_accuracy",
    "course", "course_accuracy", "horizontal_dilution", "position_dilution",
)


def fixes_in_c(fixes: Iterable[Fix]) -> "ctypes.Array[CFix]":
    """An array of fixes for the library."""
    fixes = list(fixes)
    array = (CFix * len(fixes))()
    for place, fix in zip(array, fixes):
        place.size = ctypes.sizeof(CFix)
        place.time, place.latitude, place.longitude = nanoseconds(fix.time), fix.latitude, fix.longitude
        for name in _NUMBERS:
            value = getattr(fix, name)
            setattr(place, name, _NAN if value is None else value)
        place.satellites_used = -1 if fix.satellites_used is None else fix.satellites_used
        place.satellites_visible = -1 if fix.satellites_visible is None else fix.satellites_visible
        place.mode, place.status = fix.mode or 0, fix.status or 0
        place.activity = ACTIVITIES.index(fix.activity)
    return array


def fix_from_c(fix: CFix) -> Fix:
    numbers = {name: None if (value := getattr(fix, name)) != value else value for name in _NUMBERS}
    return Fix(
        time=fix.time, latitude=fix.latitude, longitude=fix.longitude, **numbers,
        satellites_used=fix.satellites_used if fix.satellites_used >= 0 else None,
        satellites_visible=fix.satellites_visible if fix.satellites_visible >= 0 else None,
        mode=fix.mode or None, status=fix.status or None, activity=ACTIVITIES[fix.activity])


@dataclass(frozen=True)
class Decision:
    """A decision about a fix: kind is record, reject, undecided or standby."""

    kind: str
    reason: str
    fix: int
    """The number of the fix; the first one that was pushed is 0."""
    time: int
    """The time of the fix in nanoseconds since 1970, corrected if its receiver had lost count of the weeks."""
    odometer: float
    moving: bool
    motion_change: bool
    passed_over: int
    activity: Optional[str]

    @property
    def is_record(self) -> bool:
        return self.kind == "record"


def decision_from_c(decision: CDecision) -> Decision:
    names = {1: lib.te_cause_name, 2: lib.te_rejection_name}
    name = names.get(decision.kind)
    return Decision(
        kind=KINDS[decision.kind], reason=name(decision.reason).decode() if name else "", fix=decision.fix,
        time=decision.time, odometer=decision.odometer, moving=bool(decision.flags & 1),
        motion_change=bool(decision.flags & 2), passed_over=decision.passed_over,
        activity=ACTIVITIES[decision.activity])


@dataclass(frozen=True)
class Record:
    """A record of the track: a position, or an event at one.

    event is None for a position; else it has kind, such as visit, and a member of that name with the details.
    """

    id: str
    sequence: int
    cause: str
    fix: Fix
    moving: bool
    motion_change: bool
    odometer: float
    activity: Optional[str]
    event: Optional[dict[str, Any]] = None

    @property
    def time(self) -> datetime:
        """The time of the fix, to the microsecond."""
        return EPOCH + timedelta(microseconds=nanoseconds(self.fix.time) // 1000)


def record_from_c(record: CRecord) -> Record:
    return Record(
        id=record.id.decode(), sequence=record.sequence, cause=lib.te_cause_name(record.cause).decode(),
        fix=fix_from_c(record.fix), moving=bool(record.flags & 1), motion_change=bool(record.flags & 2),
        odometer=record.odometer, activity=ACTIVITIES[record.activity],
        event=json.loads(record.event) if record.event else None)
