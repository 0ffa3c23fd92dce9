"""The tracker: keeps records in a store and delivers them to sinks."""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import inspect
import json
import os
import queue
import threading
import weakref
from dataclasses import dataclass
from typing import Any, Awaitable, Callable, Iterator, Optional, Sequence, Union

from ._filter import Settings, settings_text
from ._library import CRecord, CSink, CTrackerConfig, Deliver, StoppedError, TokenError, TrackEngineError, check, lib
from ._values import Fix, Record, fixes_in_c, record_from_c

RECOVERIES = {"retry": 1, "smaller": 2, "rejected": 3, "needs-operator": 4}


class DeliveryError(Exception):
    """Raised by a sink: no record of the batch is known to be delivered.

    recovery is retry, smaller, rejected or needs-operator; retry_after is in seconds. The reason appears in the status,
    so it contains no secret and no position.
    """

    def __init__(self, reason: str, recovery: str = "retry", retry_after: float = 0) -> None:
        super().__init__(reason)
        self.recovery, self.retry_after = RECOVERIES[recovery], int(retry_after * 1000)


@dataclass(frozen=True)
class Sink:
    """A destination of records.

    deliver takes a list of Record, oldest first, and returns when the receiver has confirmed them: None for all, or
    their number from the first on. An exception, or another value, means that none is confirmed, and the tracker tries
    again. It must not call sync() or stop(). The name must not change, because the store keeps the progress under it. sync has the keys of a sink of trackd: syncThreshold, interval, maxBatchSize.
    """

    name: str
    deliver: Callable[[list[Record]], Union[None, int, Awaitable[Optional[int]]]]
    sync: Settings = None


class _Handle:
    """The library's tracker: freed once, in the process that made it, and not during a call."""

    def __init__(self, value: int) -> None:
        self._value: Optional[int] = value
        self._process = os.getpid()
        self._calls = 0
        self._changed = threading.Condition()

    @contextlib.contextmanager
    def use(self) -> Iterator[int]:
        """The handle for a call."""
        with self._changed:
            if self._value is None:
                raise StoppedError(4, "expected a tracker that is not closed")
            value = self._value
            self._calls += 1
        try:
            yield value
        finally:
            with self._changed:
                self._calls -= 1
                self._changed.notify_all()

    def free(self) -> None:
        """Stops the tracker, and frees it when the calls have ended; one that does not end keeps the memory."""
        if os.getpid() != self._process:
            return
        with self._changed:
            value = self._value
        if value is None:
            return
        lib.te_tracker_stop(value)
        with self._changed:
            self._value = None
            if self._changed.wait_for(lambda: self._calls == 0, timeout=10):
                lib.te_tracker_free(value)


def _confirmed(outcome: Any, count: int) -> Union[int, BaseException]:
    """The number of confirmed records, or the reason why a delivery has failed."""
    if outcome is None:
        return count
    if isinstance(outcome, BaseException):
        return outcome
    if isinstance(outcome, int) and not isinstance(outcome, bool) and 0 <= outcome <= count:
        return outcome
    if inspect.iscoroutine(outcome):
        outcome.close()
    return DeliveryError(f"deliver: expected None or 0 to {count}, not {type(outcome).__name__}")


def _name(text: str, of: str) -> bytes:
    if "\0" in text:
        raise ValueError(f"{of}: expected a text without a zero character")
    return text.encode()


class _Tracker:
    """What both trackers share: the handle, and the callbacks."""

    def __init__(
        self, device: str, *, directory: Union[str, os.PathLike[str], None] = None, tracking: Settings = None, retention: Settings = None,
        sinks: Sequence[Sink] = (), source: str = "fixes", recorded: bool = False, events: Settings = None,
        places: Settings = None, senders: Union[str, Sequence[Any], None] = None,
    ) -> None:
        self._handle: Optional[_Handle] = None
        self._handles: list[_Handle] = []  # for callbacks, which must not keep the tracker
        self._callbacks = [Deliver(self._callback(sink)) for sink in sinks]
        array = (CSink * len(sinks))(*(
            CSink(ctypes.sizeof(CSink), 0, sink.name.encode(), settings_text(sink.sync), callback, None)
            for sink, callback in zip(sinks, self._callbacks)))
        self._config = CTrackerConfig(
            ctypes.sizeof(CTrackerConfig), int(recorded), _name(device, "device"), _name(source, "source"),
            _name(os.fspath(directory), "directory") if directory is not None else None, settings_text(tracking),
            settings_text(retention), array if sinks else None, len(sinks), settings_text(events),
            settings_text(places), settings_text(senders))
        self._started = threading.Event()
        self._queues: dict[str, queue.SimpleQueue[Any]] = {}

    def _start(self) -> None:
        error = ctypes.c_int32()
        queues = list(self._queues.values())
        value = lib.te_tracker_new(ctypes.byref(self._config), ctypes.byref(error))
        if value:
            self._handle = _Handle(value)
            self._handles.append(self._handle)
        self._started.set()
        try:
            check(error.value)
        except TrackEngineError:
            self._end(queues)
            raise
        self._finalizer = weakref.finalize(self, self._free, self._handle, queues)

    @staticmethod
    def _end(queues: "list[queue.SimpleQueue[Any]]") -> None:
        for deliveries in queues:
            deliveries.put(None)

    @classmethod
    def _free(cls, handle: _Handle, queues: "list[queue.SimpleQueue[Any]]") -> None:
        handle.free()
        cls._end(queues)

    def _use(self) -> "contextlib.AbstractContextManager[int]":
        if self._handle is None:
            raise StoppedError(4, "expected a tracker that has been started")
        return self._handle.use()

    def _callback(self, sink: Sink) -> Callable[..., None]:
        this, handles = weakref.ref(self), self._handles

        def deliver(_: Any, token: int, records: int, count: int) -> None:
            tracker = this()
            if tracker is None:
                _Tracker._refuse(handles, token)
                return
            array = (CRecord * count).from_address(records)
            tracker._deliver(sink, token, [record_from_c(record) for record in array])

        return deliver

    @staticmethod
    def _refuse(handles: list[_Handle], token: int) -> None:
        """Ends a delivery of a tracker that was dropped without a stop."""
        with contextlib.suppress(TrackEngineError), handles[0].use() as handle:
            check(lib.te_tracker_fail(handle, token, 1, 0, b"the tracker was dropped"))

    def _deliver(self, sink: Sink, token: int, records: list[Record]) -> None:
        raise NotImplementedError

    def _report(self, token: int, count: int, outcome: Any) -> None:
        """Reports the outcome of a delivery; a token that is no longer open is ignored, the records stay."""
        self._started.wait()  # a delivery of records of an earlier run may come first
        outcome = _confirmed(outcome, count)
        with contextlib.suppress(TokenError), self._use() as handle:
            if isinstance(outcome, DeliveryError):
                reason = str(outcome).encode(errors="replace")
                check(lib.te_tracker_fail(handle, token, outcome.recovery, outcome.retry_after, reason))
            elif isinstance(outcome, BaseException):
                check(lib.te_tracker_fail(handle, token, 1, 0, type(outcome).__name__.encode()))
            else:
                check(lib.te_tracker_settle(handle, token, outcome))

    def _push(self, fixes: Sequence[Fix]) -> None:
        array = fixes_in_c(fixes)
        with self._use() as handle:
            check(lib.te_tracker_push(handle, array, len(array)))

    def _sync(self) -> None:
        with self._use() as handle:
            check(lib.te_tracker_sync(handle))

    def _status(self) -> dict[str, Any]:
        error = ctypes.c_int32()
        with self._use() as handle:
            text = lib.te_tracker_status(handle, ctypes.byref(error))
            check(error.value)
        try:
            return json.loads(ctypes.string_at(text))
        finally:
            lib.te_string_free(text)

    def _stop(self) -> None:
        with self._use() as handle:
            check(lib.te_tracker_stop(handle))


class Tracker(_Tracker):
    """A tracker for plain programs; each sink delivers on a thread of its own.

    With a directory, records are on disk when push() returns, and survive the end of the process; without one they are
    in memory. stop() delivers what is left; a tracker that is dropped without it delivers nothing more. recorded: time is that of the fixes, not of the machine's clock. events: the keys visits, trips, stopAfter,
    stayRadius, minimumDistance, gap and heartbeat of trackd's section events; places: GeoJSON, KML or OwnTracks' form.
    senders: a list of sinks as trackd's section sinks, of the type mqtt, where the library is libtrackengine-agent.
    """

    def __init__(self, device: str, **settings: Any) -> None:
        super().__init__(device, **settings)
        for sink in settings.get("sinks", ()):
            self._queues[sink.name] = queue.SimpleQueue()
            threading.Thread(
                target=self._work, args=(weakref.ref(self), self._handles, sink, self._queues[sink.name]),
                name=f"trackengine {sink.name}", daemon=True).start()
        self._start()

    def _deliver(self, sink: Sink, token: int, records: list[Record]) -> None:
        self._queues[sink.name].put((token, records))

    @staticmethod
    def _work(
        this: "weakref.ref[Tracker]", handles: "list[_Handle]", sink: Sink, deliveries: "queue.SimpleQueue[Any]",
    ) -> None:
        while (delivery := deliveries.get()) is not None:
            token, records = delivery
            outcome: Any = None
            if this() is not None:
                try:
                    outcome = sink.deliver(records)
                except BaseException as error:  # also one that would end the thread: the sink would wait for ever
                    outcome = error
            tracker = this()
            if tracker is None:
                _Tracker._refuse(handles, token)
            else:
                with contextlib.suppress(TrackEngineError):  # closed, and the records are in the store
                    tracker._report(token, len(records), outcome)
            del tracker

    def push(self, *fixes: Fix) -> None:
        """Passes fixes on, and waits until those that become records are in the store."""
        self._push(fixes)

    def sync(self) -> None:
        """Sends all records now, and waits until each sink has none left or has failed."""
        self._sync()

    def status(self) -> dict[str, Any]:
        """The status with the keys of `trackd status --json`."""
        return self._status()

    def stop(self) -> None:
        """Ends the tracker: the sinks get a last delivery, the store is closed."""
        self._stop()
        for deliveries in self._queues.values():
            deliveries.put(None)

    def __enter__(self) -> "Tracker":
        return self

    def __exit__(self, *_: Any) -> None:
        self.stop()


class AsyncTracker(_Tracker):
    """A tracker for asyncio: `async with AsyncTracker(...) as tracker`. The sinks' deliver are coroutine functions."""

    def _deliver(self, sink: Sink, token: int, records: list[Record]) -> None:
        asyncio.run_coroutine_threadsafe(self._run(sink, token, records), self._loop)

    async def _run(self, sink: Sink, token: int, records: list[Record]) -> None:
        outcome: Any
        try:
            outcome = await sink.deliver(records)  # type: ignore[misc]
        except BaseException as error:  # also a cancellation: the sink would wait for ever
            outcome = error
        self._report(token, len(records), outcome)
        if isinstance(outcome, (asyncio.CancelledError, KeyboardInterrupt, SystemExit)):
            raise outcome

    async def push(self, *fixes: Fix) -> None:
        """Passes fixes on, and waits until those that become records are in the store."""
        await asyncio.to_thread(self._push, fixes)

    async def sync(self) -> None:
        """Sends all records now, and waits until each sink has none left or has failed."""
        await asyncio.to_thread(self._sync)

    async def status(self) -> dict[str, Any]:
        """The status with the keys of `trackd status --json`."""
        return await asyncio.to_thread(self._status)

    async def stop(self) -> None:
        """Ends the tracker: the sinks get a last delivery, the store is closed."""
        await asyncio.to_thread(self._stop)

    async def __aenter__(self) -> "AsyncTracker":
        self._loop = asyncio.get_running_loop()
        await asyncio.to_thread(self._start)
        return self

    async def __aexit__(self, *_: Any) -> None:
        await self.stop()
