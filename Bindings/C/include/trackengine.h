/* trackengine.h: the C interface of TrackEngine.
 *
 * Two levels. A filter turns an array of fixes into decisions; it has no thread and does no input or output. A tracker
 * keeps the records of a source in a store and delivers them to sinks, which are callbacks.
 *
 * Rules for all functions:
 *
 * - Structs. The first member of each struct is its size in bytes as the caller knows it: set it with sizeof, or
 *   initialise the struct with the macro of its name (TE_FIX_INIT). Later versions add members at the end only. A size
 *   smaller than that of version 1 is TE_ERROR_ARGUMENT; a larger one is fine, the members that this library does not
 *   know are ignored. Reserved members are for later versions: 0; this version does not check them.
 * - Errors. A function that can fail returns a te_status, or NULL and writes the te_status to its last parameter, which
 *   may be NULL. te_last_error() then has the reason in words. No function ends the process because of an argument.
 * - Pointers. A pointer that is passed in belongs to the caller and is not used after the call, unless the function's
 *   comment says so. A handle (te_filter, te_tracker) belongs to the caller, who frees it once. Using a freed handle is
 *   undefined. A process that was forked from one with a tracker has none of its threads: there, calls of trackers are
 *   TE_ERROR_STOPPED, and only filters work.
 * - Texts are UTF-8 and end with a zero byte. Bytes that are not UTF-8 are replaced.
 * - Units are those of the SI: metres, metres per second; degrees for angles; times are nanoseconds since
 *   1970-01-01T00:00:00Z without leap seconds.
 */
#ifndef TRACKENGINE_H
#define TRACKENGINE_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this interface. It grows when a function or a member is added. A change that breaks a compiled program
 * changes the number in the name of the library (libtrackengine.so.1). */
#define TE_ABI_VERSION 1u

/* Returns the TE_ABI_VERSION of the library. A program that needs version n requires te_abi_version() >= n. */
uint32_t te_abi_version(void);

/* ---- Errors ---- */

/* The result of a call. */
typedef int32_t te_status;

/* The call has done what its comment says. */
#define TE_OK 0
/* NULL where a pointer is needed, a struct that is too small, or a number out of its range. */
#define TE_ERROR_ARGUMENT 1
/* Settings that are not JSON, or with an unknown key or a value out of its range. */
#define TE_ERROR_SETTINGS 2
/* The store cannot be opened, read or written. */
#define TE_ERROR_STORE 3
/* The tracker has been stopped. */
#define TE_ERROR_STOPPED 4
/* No open delivery has this token: it was settled before, or the tracker no longer waits for it. */
#define TE_ERROR_TOKEN 5

/* Returns the reason of the last error on the calling thread, in one or more lines; "" before the first one.
 * The text belongs to the library. It is valid until the next call that fails on the same thread, or until the thread
 * ends. It contains no position and no secret. */
const char *te_last_error(void);

/* ---- Fixes ---- */

/* Bits of te_fix.flags. */
#define TE_FIX_SIMULATED 1u
#define TE_FIX_ROLLOVER_CORRECTED 2u

/* Values of te_fix.activity and te_decision.activity. */
#define TE_ACTIVITY_ABSENT 0u
#define TE_ACTIVITY_UNKNOWN 1u
#define TE_ACTIVITY_STATIONARY 2u
#define TE_ACTIVITY_WALKING 3u
#define TE_ACTIVITY_RUNNING 4u
#define TE_ACTIVITY_CYCLING 5u
#define TE_ACTIVITY_DRIVING 6u

/* A position that a receiver reported, 112 bytes.
 *
 * An unknown number is NAN, which TE_FIX_INIT sets. A number that is impossible (infinite, or negative where only
 * values from 0 are possible) counts as unknown. A fix without a valid latitude and longitude is accepted here, and the
 * filter rejects it with TE_REJECTED_INVALID_COORDINATE.
 *
 * In an array the size of the first element is the distance between elements, in bytes, a multiple of 8 up to 4096; the
 * sizes of the other elements are not read. */
typedef struct te_fix {
    uint32_t size;
    uint8_t mode;              /* 2: without height, 3: with height; any other value: unknown */
    uint8_t status;            /* as gpsd's TPV.status, 1 to 9; any other value: unknown */
    uint8_t activity;          /* TE_ACTIVITY_...: as the source knows it; TE_ACTIVITY_ABSENT: inferred from speed */
    uint8_t flags;             /* bits TE_FIX_... */
    int64_t time;              /* ns since 1970 */
    double latitude;           /* degrees, -90 to 90 */
    double longitude;          /* degrees, -180 to 180 */
    double altitude;           /* m above mean sea level */
    double ellipsoidal_altitude; /* m above the WGS-84 ellipsoid */
    double horizontal_accuracy; /* m, from 0 */
    double vertical_accuracy;  /* m, from 0 */
    double speed;              /* m/s over ground, from 0 */
    double speed_accuracy;     /* m/s, from 0 */
    double course;             /* degrees clockwise from true north, any finite angle */
    double course_accuracy;    /* degrees, from 0 */
    float horizontal_dilution; /* without unit, from 0 */
    float position_dilution;   /* without unit, from 0 */
    int16_t satellites_used;   /* 0 to 255; negative: unknown */
    int16_t satellites_visible; /* 0 to 255; negative: unknown */
    uint32_t reserved;
} te_fix;

/* A fix of which nothing is known. */
#define TE_FIX_INIT                                                                                                    \
    {                                                                                                                  \
        sizeof(te_fix), 0, 0, 0, 0, 0, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, -1, -1, 0           \
    }

/* ---- Decisions ---- */

/* Values of te_decision.kind. */
#define TE_RECORD 1u    /* the fix is to be recorded; reason is a TE_CAUSE_... */
#define TE_REJECT 2u    /* the fix is not to be recorded; reason is a TE_REJECTED_... */
#define TE_UNDECIDED 3u /* later fixes decide; a decision TE_RECORD about the same fix may follow */
#define TE_STANDBY 4u   /* the object has rested for long; no decision about the fix */

/* Reasons of TE_RECORD. te_cause_name() has their names. */
#define TE_CAUSE_FIRST 1u
#define TE_CAUSE_DISTANCE 2u
#define TE_CAUSE_ELAPSED 3u
#define TE_CAUSE_STILL 4u
#define TE_CAUSE_DEPARTED 5u
#define TE_CAUSE_REQUESTED 6u
#define TE_CAUSE_DEVIATION 7u
#define TE_CAUSE_TURN 8u
#define TE_CAUSE_INTERVAL 9u
#define TE_CAUSE_RESUMED 10u
#define TE_CAUSE_IMPROVED 11u
#define TE_CAUSE_DETECTED 12u

/* Reasons of TE_REJECT. te_rejection_name() has their names. */
#define TE_REJECTED_INVALID_COORDINATE 1u
#define TE_REJECTED_NULL_ISLAND 2u
#define TE_REJECTED_DUPLICATE_TIME 3u
#define TE_REJECTED_BACKWARD_TIME 4u
#define TE_REJECTED_STALE 5u
#define TE_REJECTED_FUTURE 6u
#define TE_REJECTED_INACCURATE 7u
#define TE_REJECTED_IMPLAUSIBLE_SPEED 8u
#define TE_REJECTED_UNCONFIRMED_JUMP 9u
#define TE_REJECTED_NOT_IN_MOTION 10u
#define TE_REJECTED_STANDBY 11u
#define TE_REJECTED_TOO_NEAR 12u
#define TE_REJECTED_UNNEEDED 13u
#define TE_REJECTED_PAUSED 14u
#define TE_REJECTED_HIDDEN 15u
#define TE_REJECTED_OFF 16u

/* Returns the name of a cause or a rejection, such as "distance" or "too-near"; "" for any other number. The text is
 * valid until the program ends. */
const char *te_cause_name(uint32_t cause);
const char *te_rejection_name(uint32_t rejection);

/* Bits of te_decision.flags and te_record.flags. */
#define TE_MOVING 1u        /* the object moves */
#define TE_MOTION_CHANGE 2u /* the object began to move, or came to rest */

/* A decision about a fix, 40 bytes. */
typedef struct te_decision {
    uint32_t size;              /* set by the library */
    uint8_t kind;               /* TE_RECORD, TE_REJECT, TE_UNDECIDED, TE_STANDBY */
    uint8_t reason;             /* TE_CAUSE_... or TE_REJECTED_...; 0 with other kinds */
    uint8_t flags;              /* of a record: TE_MOVING, TE_MOTION_CHANGE */
    uint8_t activity;           /* of a record: TE_ACTIVITY_..., with the setting fetchActivity */
    uint64_t fix;               /* the number of the fix: the first one that was pushed is 0 */
    int64_t time;               /* the time of the fix, corrected if its receiver had lost count of the weeks */
    double odometer;            /* of a record: m travelled since the track began; otherwise 0 */
    uint32_t passed_over;       /* of a record: undecided fixes before it that proved to be unneeded */
    uint8_t activity_confidence; /* per cent */
    uint8_t reserved[3];
} te_decision;

/* Memory for decisions. The caller owns it and sets size, item_size, items and capacity; a call writes the rest. */
typedef struct te_decisions {
    uint32_t size;
    uint32_t item_size; /* sizeof(te_decision) as the caller knows it, a multiple of 8 up to 4096 */
    te_decision *items; /* room for capacity decisions */
    size_t capacity;    /* at least 1 */
    size_t count;       /* written: the number of decisions in items */
    size_t taken;       /* written: the number of fixes that were processed */
} te_decisions;

#define TE_DECISIONS_INIT(items, capacity) {sizeof(te_decisions), sizeof(te_decision), (items), (capacity), 0, 0}

/* ---- Filter ---- */

/* A filter: the gates, the motion states, the recording rule and the odometer of one track. Not for concurrent use; it
 * may move from thread to thread. */
typedef struct te_filter te_filter;

typedef struct te_filter_config {
    uint32_t size;
    uint32_t reserved;
    const char *tracking; /* a JSON object with the keys of trackd's section `tracking`; NULL: the defaults */
    int64_t wall_clock;   /* ns since 1970: fixes dated a multiple of 1024 weeks after it are corrected; 0: none are */
} te_filter_config;

#define TE_FILTER_CONFIG_INIT {sizeof(te_filter_config), 0, NULL, 0}

/* Creates a filter at the beginning of a track. Time is that of the fixes, so the same fixes always have the same
 * decisions.
 *
 * config may be NULL for the defaults. Errors: TE_ERROR_ARGUMENT, TE_ERROR_SETTINGS. The caller frees the filter with
 * te_filter_free(). */
te_filter *te_filter_new(const te_filter_config *config, te_status *error);

/* Frees a filter; NULL is ignored. */
void te_filter_free(te_filter *filter);

/* Processes fixes in their order and writes the decisions.
 *
 * Each fix has a decision. Further ones are about earlier fixes: a rest that has begun in between, and with the rule
 * `deviation` the records among the undecided fixes. When decisions is full, the call returns early: decisions->taken
 * is the number of fixes processed, and the caller passes the others again. A capacity of count + 300 is enough in nearly
 * every case, of count + 8 with any rule but `deviation`. Allocates no memory.
 *
 * fixes may be NULL if count is 0. Errors: TE_ERROR_ARGUMENT; no fix has been processed then. */
te_status te_filter_push(te_filter *filter, const te_fix *fixes, size_t count, te_decisions *decisions);

/* Decides about the undecided fixes, because the track ends here or continues later; with every rule but `deviation`
 * there are none. Call it again while decisions->count equals the capacity. Errors: TE_ERROR_ARGUMENT. */
te_status te_filter_flush(te_filter *filter, te_decisions *decisions);

/* As te_filter_flush(), and ends the leg: the next fix that passes the gates is recorded with TE_CAUSE_RESUMED, and the
 * distance to it is not added to the odometer. */
te_status te_filter_interrupt(te_filter *filter, te_decisions *decisions);

/* Returns the distance that the object has travelled, in metres since the track began; 0 for NULL. */
double te_filter_odometer(const te_filter *filter);

/* ---- Tracker ---- */

/* A tracker: one source that the program pushes fixes to, a store, and sinks. All functions may be called from any
 * thread at any time, but te_tracker_free() only when no other call is in progress. */
typedef struct te_tracker te_tracker;

/* A record of the track. */
typedef struct te_record {
    uint32_t size;       /* set by the library; also the distance between the records of an array */
    uint8_t cause;       /* TE_CAUSE_... */
    uint8_t flags;       /* TE_MOVING, TE_MOTION_CHANGE */
    uint8_t activity;    /* TE_ACTIVITY_... */
    uint8_t activity_confidence; /* per cent */
    int64_t sequence;    /* the number in the order of acceptance; never used twice, gaps are possible */
    double odometer;     /* m travelled since the track began; NAN: unknown */
    char id[40];         /* the record's identifier, an upper-case UUID; the same whenever the record is sent */
    te_fix fix;          /* of an event: the position where it happened */
    const char *event;   /* NULL for a position. Otherwise the record is an event: a JSON object with `kind`, such as
                            "visit", and a member of that name with the details, as in trackd's event messages */
} te_record;

/* Delivers records, oldest first. The library calls it for one batch of a sink at a time, on one of its own threads.
 *
 * The callback returns soon and must not wait for a call of this interface other than te_tracker_settle() and
 * te_tracker_fail(). The program reports the result later with the token, from any thread, also within the callback.
 * records and its texts are valid until the callback returns. Without a result the sink waits; a stop ends the wait
 * after the setting `flushTimeout`, and the records stay in the store for the next run. */
typedef void (*te_deliver)(void *context, uint64_t token, const te_record *records, size_t count);

/* A sink of a tracker. */
typedef struct te_sink {
    uint32_t size;
    uint32_t reserved;
    const char *name;   /* the store keeps the sink's progress under it, so it must not change; required */
    const char *sync;   /* a JSON object with the keys syncThreshold, interval, maxBatchSize, autoSync and backoff of a
                           sink of trackd; NULL: the defaults */
    te_deliver deliver; /* required */
    void *context;      /* passed to deliver; the program keeps it valid until te_tracker_stop() and
                           each call of deliver have returned: a stop waits for a callback ten seconds at the most */
} te_sink;

#define TE_SINK_INIT(name, deliver, context) {sizeof(te_sink), 0, (name), NULL, (deliver), (context)}

/* Values of te_tracker_config.time_base. */
#define TE_TIME_ARRIVAL 0u /* timers run by the machine's clock: for live receivers */
#define TE_TIME_FIX 1u     /* time is that of the fixes: for recordings */

typedef struct te_tracker_config {
    uint32_t size;
    uint32_t time_base;    /* TE_TIME_... */
    const char *device;    /* the name of the tracked object, part of each record's id; required */
    const char *source;    /* the name of the source; NULL: "fixes" */
    const char *directory; /* the directory of an SQLite store, created with mode 0700; NULL: records stay in memory */
    const char *tracking;  /* JSON, keys of trackd's section `tracking`; NULL: the defaults */
    const char *retention; /* JSON, the keys maxDaysToPersist, maxRecords, maxBytes, keepSyncedDays of trackd's section
                              `store`; NULL: the defaults */
    const te_sink *sinks;  /* sink_count sinks; the size of the first is the distance between them */
    size_t sink_count;
    const char *events;    /* JSON, the keys visits, trips, stopAfter, stayRadius, minimumDistance, gap, heartbeat of
                              trackd's section `events`; NULL: no visits, trips and heartbeats */
    const char *places;    /* places in GeoJSON, KML or OwnTracks' form, as in the files of trackd's key
                              events.placeFiles: entering and leaving one is an event; NULL: none */
    const char *senders;   /* JSON, a list of sinks as trackd's section `sinks`, of the type mqtt: the library sends the
                              records itself; NULL: none. libtrackengine-agent alone has them */
} te_tracker_config;

#define TE_TRACKER_CONFIG_INIT(device) \
    {sizeof(te_tracker_config), 0, (device), NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL}

/* Opens the store, starts a tracker, and returns when it takes fixes. Waits while an SQLite store is repaired.
 *
 * Errors: TE_ERROR_ARGUMENT, TE_ERROR_SETTINGS (also if the library was built without detectors or senders, and if a
 * secret of a sender cannot be read), TE_ERROR_STORE (also if another process has the directory open, and if the
 * library was built without SQLite). The caller frees the
 * tracker with te_tracker_free(). */
te_tracker *te_tracker_new(const te_tracker_config *config, te_status *error);

/* Passes fixes of the source on, and waits until they are decided and those that become records are in the store. With
 * an SQLite store a record of a call that has returned TE_OK survives the end of the process and, on storage that
 * honours fsync, a loss of power. While the store cannot write, the call waits.
 *
 * With the rule `deviation`, undecided fixes are in memory only. Errors: TE_ERROR_ARGUMENT; TE_ERROR_STOPPED: the fixes
 * may or may not be in the store. */
te_status te_tracker_push(te_tracker *tracker, const te_fix *fixes, size_t count);

/* Reports that the receiver has confirmed the first settled records of a delivery. The store removes them, and the next
 * delivery begins after them.
 *
 * settled is 0 up to the number of records. Errors: TE_ERROR_ARGUMENT (the delivery stays open), TE_ERROR_TOKEN. */
te_status te_tracker_settle(te_tracker *tracker, uint64_t token, size_t settled);

/* Values of te_tracker_fail()'s parameter recovery. */
#define TE_RETRY 1u          /* try again after a growing wait: no connection, or the receiver is busy */
#define TE_SMALLER 2u        /* the batch is too large for the receiver */
#define TE_REJECTED 3u       /* the receiver refuses the content: search for the record that is the reason */
#define TE_NEEDS_OPERATOR 4u /* only a person can repair it, such as a wrong password */

/* Reports that no record of a delivery is known to be delivered.
 *
 * reason appears in the status; it must not contain a secret or a position. NULL: "no reason given". retry_after is in
 * milliseconds, 0 for the tracker's own wait, an hour at the most, and only used with TE_RETRY. Errors: TE_ERROR_ARGUMENT, TE_ERROR_TOKEN. */
te_status te_tracker_fail(te_tracker *tracker, uint64_t token, uint32_t recovery, uint64_t retry_after,
                          const char *reason);

/* Sends all records to all sinks now, regardless of thresholds and back-off. Waits until each sink has no record left
 * or has failed, or a stop ends the wait (TE_OK). Errors: TE_ERROR_ARGUMENT, TE_ERROR_STOPPED. */
te_status te_tracker_sync(te_tracker *tracker);

/* Returns the status as JSON with the keys of `trackd status --json`: state, time, sources, sinks, store. NULL after an
 * error (TE_ERROR_ARGUMENT). The caller frees the text with te_string_free(). */
char *te_tracker_status(te_tracker *tracker, te_status *error);

/* Frees a text that this library returned as char *; NULL is ignored. */
void te_string_free(char *text);

/* Ends the tracker gracefully: undecided fixes are decided, the sinks get a last delivery, the store is closed. Returns
 * when it has ended, after the setting `flushTimeout` and ten seconds at the latest. A second call has no effect and
 * waits as well. Not to be called from a sink's callback. Errors: TE_ERROR_ARGUMENT. */
te_status te_tracker_stop(te_tracker *tracker);

/* Stops a tracker that has not been stopped, and frees it; NULL is ignored. */
void te_tracker_free(te_tracker *tracker);

#ifdef __cplusplus
}
#endif

#endif
