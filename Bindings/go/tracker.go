package trackengine

/*
#include <stdlib.h>
#include <trackengine.h>

extern void trackengineDeliver(void *context, uint64_t token, te_record *records, size_t count);
*/
import "C"

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/cgo"
	"sync"
	"unsafe"
)

// A Record of the track.
type Record struct {
	ID       string // an upper-case UUID; the same whenever the record is sent
	Sequence int64  // the number in the order of acceptance
	Cause    string // the name of the reason why the fix was recorded
	Moving   bool
	Odometer float64 // metres travelled since the track began
	Fix      Fix
	Event    string // the JSON object of an event, with kind and a member of that name; "" for a position
}

// A Sink is a destination of records.
type Sink struct {
	Name string // the store keeps the progress under it, so it must not change
	Sync string // a JSON object with the keys of a sink of trackd, such as {"syncThreshold": 5}; "" for the defaults
	// Deliver runs on a goroutine of the sink, and returns how many records, from the first on, the receiver has
	// confirmed. With an error, or another number, none is confirmed, and the tracker tries again. The error's text appears in the status.
	Deliver func([]Record) (int, error)
}

// Settings of a tracker.
type Settings struct {
	Device    string // the name of the tracked object
	Directory string // of an SQLite store; "" keeps records in memory
	Tracking  string // a JSON object with the keys of trackd's section `tracking`; "" for the defaults
	Events    string // a JSON object with the keys visits, trips, ... of trackd's section `events`; "" for none
	Places    string // places in GeoJSON, KML or OwnTracks' form: entering and leaving one is an event; "" for none
	Senders   string // a JSON list of sinks as trackd's section `sinks`, of the type mqtt, in libtrackengine-agent; "" for none
	Recorded  bool   // time is that of the fixes, not of the machine's clock
	Sinks     []Sink
}

// A Tracker that runs. Its methods may be called by any goroutine; Close ends the calls that wait.
type Tracker struct {
	handle  *C.te_tracker
	calls   sync.RWMutex // each call reads the handle, and Close frees it
	close   sync.Once
	queues  []*deliveryQueue
	workers sync.WaitGroup
}

type delivery struct {
	token   uint64
	records []Record
}

// A deliveryQueue takes deliveries to the goroutine of a sink. The library calls with one batch of a sink at a time, and
// a cancelled one may wait besides.
type deliveryQueue struct {
	deliveries chan delivery
	reference  cgo.Handle
	address    *C.uintptr_t // in C's memory, for the callback
}

// NewTracker opens the store and starts a tracker.
func NewTracker(settings Settings) (*Tracker, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var texts []unsafe.Pointer
	defer func() {
		for _, text := range texts {
			C.free(text)
		}
	}()
	text := func(value string) *C.char {
		if value == "" {
			return nil
		}
		copied := C.CString(value)
		texts = append(texts, unsafe.Pointer(copied))
		return copied
	}
	config := (*C.te_tracker_config)(C.calloc(1, C.size_t(unsafe.Sizeof(C.te_tracker_config{}))))
	sinks := (*C.te_sink)(C.calloc(C.size_t(len(settings.Sinks)+1), C.size_t(unsafe.Sizeof(C.te_sink{}))))
	texts = append(texts, unsafe.Pointer(config), unsafe.Pointer(sinks))
	tracker := &Tracker{}
	for index, sink := range settings.Sinks {
		queue := newDeliveryQueue()
		tracker.queues = append(tracker.queues, queue)
		place := (*C.te_sink)(unsafe.Add(unsafe.Pointer(sinks), index*int(unsafe.Sizeof(C.te_sink{}))))
		place.size = C.uint32_t(unsafe.Sizeof(C.te_sink{}))
		place.name, place.sync = text(sink.Name), text(sink.Sync)
		place.deliver, place.context = C.te_deliver(C.trackengineDeliver), unsafe.Pointer(queue.address)
	}
	config.size = C.uint32_t(unsafe.Sizeof(C.te_tracker_config{}))
	if settings.Recorded {
		config.time_base = C.TE_TIME_FIX
	}
	config.device, config.directory, config.tracking = text(settings.Device), text(settings.Directory), text(settings.Tracking)
	config.events, config.places = text(settings.Events), text(settings.Places)
	config.senders = text(settings.Senders)
	config.sinks, config.sink_count = sinks, C.size_t(len(settings.Sinks))
	tracker.handle = C.te_tracker_new(config, nil)
	if tracker.handle == nil {
		err := lastError()
		tracker.freeQueues()
		return nil, err
	}
	for index, sink := range settings.Sinks {
		tracker.workers.Add(1)
		go tracker.work(tracker.queues[index], sink)
	}
	return tracker, nil
}

func newDeliveryQueue() *deliveryQueue {
	queue := &deliveryQueue{deliveries: make(chan delivery, 16)}
	queue.reference = cgo.NewHandle(queue)
	queue.address = (*C.uintptr_t)(C.malloc(C.size_t(unsafe.Sizeof(C.uintptr_t(0)))))
	*queue.address = C.uintptr_t(queue.reference)
	return queue
}

func (tracker *Tracker) freeQueues() {
	for _, queue := range tracker.queues {
		queue.reference.Delete()
		C.free(unsafe.Pointer(queue.address))
	}
}

//export trackengineDeliver
func trackengineDeliver(context unsafe.Pointer, token C.uint64_t, records *C.te_record, count C.size_t) {
	queue := cgo.Handle(*(*C.uintptr_t)(context)).Value().(*deliveryQueue)
	copied := make([]Record, 0, int(count))
	for _, raw := range unsafe.Slice(records, int(count)) {
		copied = append(copied, Record{
			ID: C.GoString(&raw.id[0]), Sequence: int64(raw.sequence),
			Cause: C.GoString(C.te_cause_name(C.uint32_t(raw.cause))), Moving: raw.flags&C.TE_MOVING != 0,
			Odometer: float64(raw.odometer), Fix: Fix(raw.fix), Event: C.GoString(raw.event),
		})
	}
	queue.deliveries <- delivery{uint64(token), copied}
}

// work delivers the batches of a sink. A token that is no longer open is not an error: the records stay in the store.
func (tracker *Tracker) work(queue *deliveryQueue, sink Sink) {
	defer tracker.workers.Done()
	for delivery := range queue.deliveries {
		settled, err := sink.Deliver(delivery.records)
		if err == nil && (settled < 0 || settled > len(delivery.records)) {
			err = fmt.Errorf("Deliver: expected 0 to %d records, not %d", len(delivery.records), settled)
		}
		if err == nil {
			C.te_tracker_settle(tracker.handle, C.uint64_t(delivery.token), C.size_t(settled))
			continue
		}
		reason := C.CString(err.Error())
		C.te_tracker_fail(tracker.handle, C.uint64_t(delivery.token), C.TE_RETRY, 0, reason)
		C.free(unsafe.Pointer(reason))
	}
}

// Push passes fixes on, and waits until those that become records are in the store.
func (tracker *Tracker) Push(fixes ...Fix) error {
	if len(fixes) == 0 {
		return nil
	}
	return tracker.call(func() C.te_status {
		return C.te_tracker_push(tracker.handle, (*C.te_fix)(&fixes[0]), C.size_t(len(fixes)))
	})
}

// Sync sends all records now, and waits until each sink has none left or has failed.
func (tracker *Tracker) Sync() error {
	return tracker.call(func() C.te_status { return C.te_tracker_sync(tracker.handle) })
}

// Status returns JSON with the keys of `trackd status --json`; after Close, an empty text.
func (tracker *Tracker) Status() string {
	tracker.calls.RLock()
	defer tracker.calls.RUnlock()
	if tracker.handle == nil {
		return ""
	}
	text := C.te_tracker_status(tracker.handle, nil)
	defer C.te_string_free(text)
	return C.GoString(text)
}

// Close ends the tracker: the sinks get a last delivery, the store is closed. A second call does nothing. Not to be called
// by a sink.
func (tracker *Tracker) Close() {
	tracker.close.Do(func() {
		C.te_tracker_stop(tracker.handle) // ends the calls that wait
		for _, queue := range tracker.queues {
			close(queue.deliveries) // the library calls no callback after the stop
		}
		tracker.workers.Wait()
		tracker.calls.Lock()
		defer tracker.calls.Unlock()
		C.te_tracker_free(tracker.handle)
		tracker.handle = nil
		tracker.freeQueues()
	})
}

// call makes a call that is not under way when the tracker is freed.
func (tracker *Tracker) call(function func() C.te_status) error {
	tracker.calls.RLock()
	defer tracker.calls.RUnlock()
	if tracker.handle == nil {
		return errors.New("expected a tracker that is not closed")
	}
	return check(function)
}

// check returns the reason of an error of a call.
func check(call func() C.te_status) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if call() != C.TE_OK {
		return lastError()
	}
	return nil
}
