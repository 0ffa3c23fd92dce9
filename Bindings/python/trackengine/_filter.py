"""The filter: fixes in, decisions out."""

from __future__ import annotations

import ctypes
import json
from typing import Any, Iterable, Mapping, Optional, Union

from ._library import CDecision, CDecisions, CFilterConfig, CFix, check, lib
from ._values import Decision, Fix, decision_from_c, fixes_in_c

Settings = Union[Mapping[str, Any], str, None]


def settings_text(settings: Settings) -> Optional[bytes]:
    """Settings as JSON text; a str is passed on as it is."""
    if settings is None:
        return None
    return (settings if isinstance(settings, str) else json.dumps(settings)).encode()


def fix_array(count: int) -> Any:
    """A NumPy array of fixes of which nothing is known. Its fields are those of te_fix in trackengine.h."""
    import numpy

    array = numpy.zeros(count, dtype=numpy.dtype(CFix))
    for name, kind in array.dtype.fields.items():
        if kind[0].kind == "f":
            array[name] = numpy.nan
    array["size"] = ctypes.sizeof(CFix)
    array["satellites_used"] = array["satellites_visible"] = -1
    return array


class Filter:
    """The gates, motion states and recording rule of one track.

    tracking has the keys of trackd's section `tracking`. With wall_clock, in nanoseconds since 1970, fixes dated a
    multiple of 1024 weeks after it are corrected. Not for use by several threads at a time.
    """

    def __init__(self, tracking: Settings = None, *, wall_clock: int = 0) -> None:
        self._handle: Optional[int] = None
        error = ctypes.c_int32()
        config = CFilterConfig(ctypes.sizeof(CFilterConfig), 0, settings_text(tracking), wall_clock)
        self._handle = lib.te_filter_new(ctypes.byref(config), ctypes.byref(error))
        check(error.value)

    def __del__(self) -> None:
        if self._handle:
            lib.te_filter_free(self._handle)

    def push(self, fixes: Union[Iterable[Fix], Any]) -> Any:
        """Processes fixes in their order and returns the decisions.

        A list of Fix gives a list of Decision. A NumPy array made by fix_array() is passed on without a copy and gives
        a NumPy array with the fields of te_decision; kind 1 is a record.
        """
        if hasattr(fixes, "__array_interface__"):
            return self._push_array(fixes)
        array = fixes_in_c(fixes)
        memory = (CDecision * (len(array) + 8))()
        decisions: list[Decision] = []
        start = 0
        while start < len(array):
            place = ctypes.addressof(array) + start * ctypes.sizeof(CFix)
            count, taken = self._call(place, len(array) - start, memory, len(memory))
            decisions += [decision_from_c(decision) for decision in memory[:count]]
            start += taken
        return decisions

    def flush(self) -> list[Decision]:
        """Decides about the undecided fixes, because the track ends here; only the rule `deviation` has any."""
        return self._decide_all(lib.te_filter_flush)

    def interrupt(self) -> list[Decision]:
        """As flush(), and ends the leg: the distance to the next fix is not travelled."""
        return self._decide_all(lib.te_filter_interrupt)

    @property
    def odometer(self) -> float:
        """The distance that the object has travelled, in metres."""
        return lib.te_filter_odometer(self._handle)

    def _push_array(self, fixes: Any) -> Any:
        import numpy

        if fixes.dtype != numpy.dtype(CFix) or fixes.ndim != 1 or not fixes.flags.c_contiguous:
            raise TypeError("fixes: expected a contiguous array made by trackengine.fix_array()")
        if len(fixes) and fixes["size"][0] != ctypes.sizeof(CFix):
            raise ValueError("fixes['size']: expected the sizes that trackengine.fix_array() has written")
        # Nearly all tracks fit into this memory; the pages beyond the last decision are never touched.
        memory = numpy.empty(len(fixes) + len(fixes) // 8 + 64, dtype=numpy.dtype(CDecision))
        parts, start, used = [], 0, 0
        while start < len(fixes):
            if used == len(memory):
                parts.append(memory)
                memory, used = numpy.empty(len(fixes) - start + 64, dtype=memory.dtype), 0
            room = memory.ctypes.data + used * memory.itemsize
            count, taken = self._call(
                fixes.ctypes.data + start * fixes.itemsize, len(fixes) - start, room, len(memory) - used)
            start, used = start + taken, used + count
        parts.append(memory[:used])
        return parts[0] if len(parts) == 1 else numpy.concatenate(parts)

    def _call(self, fixes: int, count: int, memory: Any, capacity: int) -> tuple[int, int]:
        place = memory if isinstance(memory, int) else ctypes.addressof(memory)
        output = CDecisions(ctypes.sizeof(CDecisions), ctypes.sizeof(CDecision), place, capacity, 0, 0)
        check(lib.te_filter_push(self._handle, fixes, count, ctypes.byref(output)))
        return output.count, output.taken

    def _decide_all(self, function: Any) -> list[Decision]:
        memory = (CDecision * 600)()
        output = CDecisions(
            ctypes.sizeof(CDecisions), ctypes.sizeof(CDecision), ctypes.addressof(memory), len(memory), 0, 0)
        decisions: list[Decision] = []
        while True:
            check(function(self._handle, ctypes.byref(output)))
            decisions += [decision_from_c(decision) for decision in memory[: output.count]]
            if output.count < len(memory):
                return decisions
            function = lib.te_filter_flush
