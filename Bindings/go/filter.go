// Package trackengine filters GPS fixes and keeps records until they are delivered. It links libtrackengine by cgo;
// pkg-config finds it.
//
// Times are nanoseconds since 1970, all other numbers are in SI units.
package trackengine

/*
#include <stdlib.h>
#include <trackengine.h>
*/
import "C"

import (
	"errors"
	"math"
	"runtime"
	"unsafe"
)

// A Fix is a position that a receiver reported. NewFix sets all values that are unknown.
type Fix C.te_fix

// NewFix returns a position at a time in nanoseconds since 1970.
func NewFix(time int64, latitude, longitude float64) Fix {
	nan, small := C.double(math.NaN()), C.float(math.NaN())
	return Fix{
		size: C.uint32_t(unsafe.Sizeof(Fix{})), time: C.int64_t(time),
		latitude: C.double(latitude), longitude: C.double(longitude), altitude: nan, ellipsoidal_altitude: nan,
		horizontal_accuracy: nan, vertical_accuracy: nan, speed: nan, speed_accuracy: nan, course: nan,
		course_accuracy: nan, horizontal_dilution: small, position_dilution: small, satellites_used: -1,
		satellites_visible: -1,
	}
}

// WithSpeed returns the fix with a speed over ground in m/s.
func (fix Fix) WithSpeed(speed float64) Fix { fix.speed = C.double(speed); return fix }

// WithCourse returns the fix with a course in degrees clockwise from true north.
func (fix Fix) WithCourse(course float64) Fix { fix.course = C.double(course); return fix }

// WithAltitude returns the fix with a height in metres above mean sea level.
func (fix Fix) WithAltitude(altitude float64) Fix { fix.altitude = C.double(altitude); return fix }

// WithAccuracy returns the fix with a horizontal accuracy in metres.
func (fix Fix) WithAccuracy(accuracy float64) Fix {
	fix.horizontal_accuracy = C.double(accuracy)
	return fix
}

// Time returns the nanoseconds since 1970.
func (fix Fix) Time() int64 { return int64(fix.time) }

// Latitude returns degrees.
func (fix Fix) Latitude() float64 { return float64(fix.latitude) }

// Longitude returns degrees.
func (fix Fix) Longitude() float64 { return float64(fix.longitude) }

// A Kind of a decision.
type Kind uint8

// The kinds of decisions.
const (
	Recorded  Kind = C.TE_RECORD
	Rejected  Kind = C.TE_REJECT
	Undecided Kind = C.TE_UNDECIDED
	Standby   Kind = C.TE_STANDBY
)

// A Decision about a fix.
type Decision struct {
	Kind     Kind
	Reason   string  // the name of the cause of a record, or of the reason of a rejection
	Fix      uint64  // the number of the fix; the first one that was pushed is 0
	Time     int64   // of the fix
	Odometer float64 // of a record: metres travelled since the track began
	Moving   bool    // of a record
}

func newDecision(raw *C.te_decision) Decision {
	decision := Decision{
		Kind: Kind(raw.kind), Fix: uint64(raw.fix), Time: int64(raw.time), Odometer: float64(raw.odometer),
		Moving: raw.flags&C.TE_MOVING != 0,
	}
	switch decision.Kind {
	case Recorded:
		decision.Reason = C.GoString(C.te_cause_name(C.uint32_t(raw.reason)))
	case Rejected:
		decision.Reason = C.GoString(C.te_rejection_name(C.uint32_t(raw.reason)))
	}
	return decision
}

const capacity = 300

// A Filter has the gates, motion states and recording rule of one track. Not for concurrent use.
type Filter struct {
	handle *C.te_filter
	items  *C.te_decision // in C's memory, because a struct that C reads points to it
}

// NewFilter creates a filter from a JSON object with the keys of trackd's section `tracking`; "" for the defaults.
func NewFilter(tracking string) (*Filter, error) {
	runtime.LockOSThread() // the reason of an error belongs to the thread
	defer runtime.UnlockOSThread()
	config := C.te_filter_config{size: C.uint32_t(unsafe.Sizeof(C.te_filter_config{}))}
	if tracking != "" {
		config.tracking = C.CString(tracking)
		defer C.free(unsafe.Pointer(config.tracking))
	}
	var status C.te_status
	handle := C.te_filter_new(&config, &status)
	if handle == nil {
		return nil, lastError()
	}
	filter := &Filter{handle, (*C.te_decision)(C.calloc(capacity, C.size_t(unsafe.Sizeof(C.te_decision{}))))}
	runtime.SetFinalizer(filter, (*Filter).Close)
	return filter, nil
}

// Close frees the filter.
func (filter *Filter) Close() {
	C.te_filter_free(filter.handle)
	C.free(unsafe.Pointer(filter.items))
	filter.handle, filter.items = nil, nil
}

// Push processes fixes in their order and returns the decisions.
func (filter *Filter) Push(fixes []Fix) ([]Decision, error) {
	var decisions []Decision
	for len(fixes) > 0 {
		taken, _, err := filter.call(&decisions, func(output *C.te_decisions) C.te_status {
			count := len(fixes)
			if count > 256 {
				count = 256
			}
			return C.te_filter_push(filter.handle, (*C.te_fix)(&fixes[0]), C.size_t(count), output)
		})
		if err != nil {
			return decisions, err
		}
		fixes = fixes[taken:]
	}
	return decisions, nil
}

// Flush decides about the undecided fixes, because the track ends here.
func (filter *Filter) Flush() ([]Decision, error) {
	var decisions []Decision
	for {
		_, count, err := filter.call(&decisions, func(output *C.te_decisions) C.te_status {
			return C.te_filter_flush(filter.handle, output)
		})
		if err != nil || count < capacity {
			return decisions, err
		}
	}
}

// Odometer returns the distance travelled in metres.
func (filter *Filter) Odometer() float64 { return float64(C.te_filter_odometer(filter.handle)) }

func (filter *Filter) call(decisions *[]Decision, function func(*C.te_decisions) C.te_status) (int, int, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	output := C.te_decisions{
		size:      C.uint32_t(unsafe.Sizeof(C.te_decisions{})),
		item_size: C.uint32_t(unsafe.Sizeof(C.te_decision{})), items: filter.items, capacity: capacity,
	}
	if function(&output) != C.TE_OK {
		return 0, 0, lastError()
	}
	for _, raw := range unsafe.Slice(filter.items, int(output.count)) {
		*decisions = append(*decisions, newDecision(&raw))
	}
	return int(output.taken), int(output.count), nil
}

// lastError returns the reason of the last error of the thread.
func lastError() error { return errors.New(C.GoString(C.te_last_error())) }
