"""The C interface: structs and functions of trackengine.h."""

from __future__ import annotations

import ctypes
import os
from ctypes import POINTER, c_char_p, c_double, c_float, c_int16, c_int32, c_int64, c_size_t, c_uint8, c_uint32
from ctypes import c_uint64, c_void_p
from pathlib import Path

ABI_VERSION = 1


class CFix(ctypes.Structure):
    _fields_ = [
        ("size", c_uint32), ("mode", c_uint8), ("status", c_uint8), ("activity", c_uint8), ("flags", c_uint8),
        ("time", c_int64), ("latitude", c_double), ("longitude", c_double), ("altitude", c_double),
        ("ellipsoidal_altitude", c_double), ("horizontal_accuracy", c_double), ("vertical_accuracy", c_double),
        ("speed", c_double), ("speed_accuracy", c_double), ("course", c_double), ("course_accuracy", c_double),
        ("horizontal_dilution", c_float), ("position_dilution", c_float), ("satellites_used", c_int16),
        ("satellites_visible", c_int16), ("reserved", c_uint32),
    ]


class CDecision(ctypes.Structure):
    _fields_ = [
        ("size", c_uint32), ("kind", c_uint8), ("reason", c_uint8), ("flags", c_uint8), ("activity", c_uint8),
        ("fix", c_uint64), ("time", c_int64), ("odometer", c_double), ("passed_over", c_uint32),
        ("activity_confidence", c_uint8), ("reserved", c_uint8 * 3),
    ]


class CDecisions(ctypes.Structure):
    _fields_ = [
        ("size", c_uint32), ("item_size", c_uint32), ("items", c_void_p), ("capacity", c_size_t),
        ("count", c_size_t), ("taken", c_size_t),
    ]


class CFilterConfig(ctypes.Structure):
    _fields_ = [("size", c_uint32), ("reserved", c_uint32), ("tracking", c_char_p), ("wall_clock", c_int64)]


class CRecord(ctypes.Structure):
    _fields_ = [
        ("size", c_uint32), ("cause", c_uint8), ("flags", c_uint8), ("activity", c_uint8),
        ("activity_confidence", c_uint8), ("sequence", c_int64), ("odometer", c_double), ("id", ctypes.c_char * 40),
        ("fix", CFix), ("event", c_char_p),
    ]


Deliver = ctypes.CFUNCTYPE(None, c_void_p, c_uint64, c_void_p, c_size_t)


class CSink(ctypes.Structure):
    _fields_ = [
        ("size", c_uint32), ("reserved", c_uint32), ("name", c_char_p), ("sync", c_char_p), ("deliver", Deliver),
        ("context", c_void_p),
    ]


class CTrackerConfig(ctypes.Structure):
    _fields_ = [
        ("size", c_uint32), ("time_base", c_uint32), ("device", c_char_p), ("source", c_char_p),
        ("directory", c_char_p), ("tracking", c_char_p), ("retention", c_char_p), ("sinks", POINTER(CSink)),
        ("sink_count", c_size_t), ("events", c_char_p), ("places", c_char_p), ("senders", c_char_p),
    ]


class TrackEngineError(Exception):
    """A call of the library that failed."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class SettingsError(TrackEngineError, ValueError):
    """Settings with an unknown key or a value out of its range."""


class StoreError(TrackEngineError, OSError):
    """A store that cannot be opened, read or written."""

    def __str__(self) -> str:
        return str(self.args[0])


class StoppedError(TrackEngineError):
    """A call of a tracker that has been stopped."""


class TokenError(TrackEngineError):
    """A report on a delivery for which the tracker no longer waits."""


ERRORS = {2: SettingsError, 3: StoreError, 4: StoppedError, 5: TokenError}


def check(status: int) -> None:
    """Raises the error of a status other than TE_OK."""
    if status != 0:
        message = lib.te_last_error().decode("utf-8", "replace")
        raise ERRORS.get(status, TrackEngineError)(status, message)


def _load() -> ctypes.CDLL:
    inside = Path(__file__).with_name("libtrackengine.so.1")
    path = os.environ.get("TRACKENGINE_LIBRARY") or (str(inside) if inside.exists() else "libtrackengine.so.1")
    library = ctypes.CDLL(path)
    functions = {
        "te_abi_version": (c_uint32, []),
        "te_last_error": (c_char_p, []),
        "te_cause_name": (c_char_p, [c_uint32]),
        "te_rejection_name": (c_char_p, [c_uint32]),
        "te_filter_new": (c_void_p, [POINTER(CFilterConfig), POINTER(c_int32)]),
        "te_filter_free": (None, [c_void_p]),
        "te_filter_push": (c_int32, [c_void_p, c_void_p, c_size_t, POINTER(CDecisions)]),
        "te_filter_flush": (c_int32, [c_void_p, POINTER(CDecisions)]),
        "te_filter_interrupt": (c_int32, [c_void_p, POINTER(CDecisions)]),
        "te_filter_odometer": (c_double, [c_void_p]),
        "te_tracker_new": (c_void_p, [POINTER(CTrackerConfig), POINTER(c_int32)]),
        "te_tracker_push": (c_int32, [c_void_p, c_void_p, c_size_t]),
        "te_tracker_settle": (c_int32, [c_void_p, c_uint64, c_size_t]),
        "te_tracker_fail": (c_int32, [c_void_p, c_uint64, c_uint32, c_uint64, c_char_p]),
        "te_tracker_sync": (c_int32, [c_void_p]),
        "te_tracker_status": (c_void_p, [c_void_p, POINTER(c_int32)]),
        "te_string_free": (None, [c_void_p]),
        "te_tracker_stop": (c_int32, [c_void_p]),
        "te_tracker_free": (None, [c_void_p]),
    }
    for name, (result, arguments) in functions.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    if library.te_abi_version() < ABI_VERSION:
        raise ImportError(f"{path}: expected version {ABI_VERSION} of the interface or later")
    return library


lib = _load()
