"""TrackEngine: filters GPS fixes, keeps records until they are delivered."""

from ._filter import Filter, fix_array
from ._library import SettingsError, StoppedError, StoreError, TrackEngineError
from ._tracker import AsyncTracker, DeliveryError, Sink, Tracker
from ._values import Decision, Fix, Record

__all__ = [
    "AsyncTracker", "Decision", "DeliveryError", "Filter", "Fix", "Record", "SettingsError", "Sink", "StoppedError",
    "StoreError", "TrackEngineError", "Tracker", "fix_array",
]
__version__ = "0.9.0"
