/* Each wrong call is an error code with a reason, and none ends the process. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <trackengine.h>

static int failures = 0;

static void expect(int holds, const char *what) {
    if (holds) return;
    printf("errors: %s; the last error is \"%s\"\n", what, te_last_error());
    failures++;
}

/* Expects a status, and words in the reason if it is an error. */
static void status(te_status found, te_status expected, const char *words, const char *what) {
    expect(found == expected, what);
    if (expected != TE_OK) expect(strstr(te_last_error(), words) != NULL, what);
}

static void deliver(void *context, uint64_t token, const te_record *records, size_t count) {
    (void)context, (void)token, (void)records, (void)count;
}

static void filters(void) {
    te_status error = -1;
    te_filter_config config = TE_FILTER_CONFIG_INIT;
    config.size = 4;
    expect(te_filter_new(&config, &error) == NULL, "a filter of a small config");
    status(error, TE_ERROR_ARGUMENT, "config.size = 4", "a small config");
    config.size = sizeof config + 8;
    te_filter *filter = te_filter_new(&config, &error);
    expect(filter != NULL && error == TE_OK, "a config of a later version");
    te_filter_free(filter);
    config.tracking = "{\"distanceFilter\": -1, \"distanceFiltre\": 2, \"record\": \"most\", \"angle\": null}";
    expect(te_filter_new(&config, NULL) == NULL, "a filter of wrong settings");
    expect(te_filter_new(&config, &error) == NULL, "a filter of wrong settings");
    status(error, TE_ERROR_SETTINGS, "tracking.distanceFilter = -1: expected 0 to 100000 metres", "a value");
    status(error, TE_ERROR_SETTINGS, "tracking.distanceFiltre = 2.0: expected one of the keys", "a key");
    status(error, TE_ERROR_SETTINGS, "tracking.record = \"most\": expected distance, any, all, deviation", "a word");
    const char *texts[] = {"", "[]", "{", "{\"interval\": \"5\"}", "\xff", "{\"angle\": 1e999}"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        config.tracking = texts[i];
        expect(te_filter_new(&config, &error) == NULL && error == TE_ERROR_SETTINGS, texts[i]);
    }
    const char *good[] = {
        "{}", " {\"desiredAccuracy\": \"best\", \"interval\": 5.5, \"angle\": null} ", "{\"desiredAccuracy\": 3000}",
        "{\"preset\": \"miataru-3\", \"distanceFilter\": 9}", "{\"preset\": null}", "{\"minimumSatellites\": 5.0}",
        "{\"distanceFilter\": -1, \"distanceFilter\": 1}", /* as in JSON, the last one counts */
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        config.tracking = good[i];
        te_filter_free(te_filter_new(&config, &error));
        status(error, TE_OK, "", good[i]);
    }
    const char *bad[][2] = {
        {"{\"preset\": \"miataru-9\"}", "tracking.preset = \"miataru-9\": expected miataru-1, miataru-2"},
        {"{\"desiredAccuracy\": 7}", "tracking.desiredAccuracy = 7.0: expected a name such as best"},
        {"{\"interval\": 0.05}", "tracking.interval = 0.05 s: expected 0.1 to 86400 seconds"},
        {"{\"interval\": 1e300}", "tracking.interval"},
        {"{\"stillAfter\": null}", "tracking.stillAfter = null: expected a number of seconds"},
        {"{\"stillAfter\": \"60 s\"}", "tracking.stillAfter = \"60 s\": expected a number of seconds"},
        {"{\"distanceFilter\": 1.5}", "tracking.distanceFilter = 1.5: expected a whole number of metres"},
        {"{\"fetchActivity\": 1}", "tracking.fetchActivity = 1.0: expected true or false"},
        {"{\"minimumSatellites\": 65}", "tracking.minimumSatellites = 65: expected 1 to 64 satellites"},
        {"{\"standbyAfter\": 30}", "tracking.standbyAfter = 30"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        config.tracking = bad[i][0];
        expect(te_filter_new(&config, &error) == NULL, bad[i][0]);
        status(error, TE_ERROR_SETTINGS, bad[i][1], bad[i][0]);
    }
    te_filter_free(NULL);
    expect(te_filter_odometer(NULL) == 0, "the odometer of NULL");
}

static void pushes(void) {
    te_filter *filter = te_filter_new(NULL, NULL);
    te_decision items[4];
    te_decisions decisions = TE_DECISIONS_INIT(items, 4);
    te_fix fix = TE_FIX_INIT;
    status(te_filter_push(NULL, &fix, 1, &decisions), TE_ERROR_ARGUMENT, "filter = NULL", "no filter");
    status(te_filter_push(filter, NULL, 1, &decisions), TE_ERROR_ARGUMENT, "fixes = NULL", "no fixes");
    status(te_filter_push(filter, NULL, 0, &decisions), TE_OK, "", "0 fixes");
    status(te_filter_push(filter, &fix, 1, NULL), TE_ERROR_ARGUMENT, "decisions = NULL", "no memory");
    status(te_filter_push(filter, &fix, SIZE_MAX / 2, &decisions), TE_ERROR_ARGUMENT, "count", "too many fixes");
    status(te_filter_push(filter, &fix, SIZE_MAX, &decisions), TE_ERROR_ARGUMENT, "count", "too many fixes");
    decisions.items = NULL;
    status(te_filter_push(filter, &fix, 1, &decisions), TE_ERROR_ARGUMENT, "decisions.items", "no items");
    decisions = (te_decisions)TE_DECISIONS_INIT(items, 0);
    status(te_filter_push(filter, &fix, 1, &decisions), TE_ERROR_ARGUMENT, "capacity = 0", "no capacity");
    decisions = (te_decisions)TE_DECISIONS_INIT(items, 4);
    decisions.item_size = 8;
    status(te_filter_push(filter, &fix, 1, &decisions), TE_ERROR_ARGUMENT, "item_size = 8", "small items");
    decisions = (te_decisions)TE_DECISIONS_INIT(items, 4);
    uint32_t sizes[] = {0, 104, 113, 5000, UINT32_MAX};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        fix.size = sizes[i];
        status(te_filter_push(filter, &fix, 1, &decisions), TE_ERROR_ARGUMENT, "fixes[0].size", "a wrong size");
    }
    fix.size = sizeof fix;
    status(te_filter_push(filter, &fix, 1, &decisions), TE_OK, "", "a fix of which nothing is known");
    expect(decisions.count == 1 && items[0].kind == TE_REJECT && items[0].reason == TE_REJECTED_INVALID_COORDINATE,
           "a fix without a position is rejected");
    fix.latitude = 1e300, fix.longitude = -INFINITY, fix.speed = -5, fix.course = 1e308, fix.time = INT64_MIN;
    fix.mode = fix.status = fix.activity = fix.flags = 255, fix.satellites_used = INT16_MAX;
    status(te_filter_push(filter, &fix, 1, &decisions), TE_OK, "", "impossible values");
    fix.latitude = 50, fix.longitude = 8;
    status(te_filter_push(filter, &fix, 1, &decisions), TE_OK, "", "impossible values but the position");
    expect(items[0].kind == TE_RECORD && items[0].fix == 2, "the position is recorded");
    fix.time = INT64_MAX;
    status(te_filter_push(filter, &fix, 1, &decisions), TE_OK, "", "the last moment of time");
    status(te_filter_flush(NULL, &decisions), TE_ERROR_ARGUMENT, "filter = NULL", "flush without a filter");
    status(te_filter_flush(filter, NULL), TE_ERROR_ARGUMENT, "decisions = NULL", "flush without memory");
    status(te_filter_interrupt(filter, &decisions), TE_OK, "", "interrupt");
    te_filter_free(filter);
    expect(strcmp(te_cause_name(TE_CAUSE_DETECTED), "detected") == 0, "the last cause");
    expect(strcmp(te_rejection_name(TE_REJECTED_OFF), "off") == 0, "the last rejection");
    expect(*te_cause_name(0) == 0 && *te_cause_name(13) == 0 && *te_rejection_name(77) == 0, "unknown numbers");
}

static void trackers(void) {
    te_status error = -1;
    expect(te_tracker_new(NULL, &error) == NULL, "a tracker of NULL");
    status(error, TE_ERROR_ARGUMENT, "config = NULL", "no config");
    te_tracker_config config = TE_TRACKER_CONFIG_INIT(NULL);
    expect(te_tracker_new(&config, &error) == NULL, "a tracker without a device");
    status(error, TE_ERROR_ARGUMENT, "config.device", "no device");
    config.device = "van";
    config.sink_count = 1;
    expect(te_tracker_new(&config, &error) == NULL && error == TE_ERROR_ARGUMENT, "no sinks");
    te_sink sinks[2] = {TE_SINK_INIT("a", NULL, NULL), TE_SINK_INIT("a", deliver, NULL)};
    config.sinks = sinks;
    expect(te_tracker_new(&config, &error) == NULL, "a sink without a function");
    status(error, TE_ERROR_ARGUMENT, "sinks[0].deliver", "a sink without a function");
    sinks[0].deliver = deliver;
    config.sink_count = 2;
    expect(te_tracker_new(&config, &error) == NULL, "two sinks of a name");
    status(error, TE_ERROR_SETTINGS, "sinks = a: expected each name once", "two sinks of a name");
    sinks[1].name = "b";
    sinks[1].sync = "{\"syncThreshold\": 0, \"backoff\": {\"maximum\": 5, \"x\": 1}}";
    expect(te_tracker_new(&config, &error) == NULL, "wrong settings of a sink");
    status(error, TE_ERROR_SETTINGS, "sinks.b.syncThreshold = 0", "wrong settings of a sink");
    status(error, TE_ERROR_SETTINGS, "sinks.b.backoff.x", "an unknown key of a sink");
    sinks[1].sync = NULL;
    config.directory = "/dev/null/store";
    expect(te_tracker_new(&config, &error) == NULL, "a store that cannot be");
    status(error, TE_ERROR_STORE, "", "a store that cannot be");
    config.directory = NULL;
    te_tracker *tracker = te_tracker_new(&config, &error);
    expect(tracker != NULL && error == TE_OK, "a tracker in memory");
    te_fix fix = TE_FIX_INIT;
    status(te_tracker_push(tracker, &fix, 1), TE_OK, "", "a fix without a position");
    status(te_tracker_push(NULL, &fix, 1), TE_ERROR_ARGUMENT, "tracker = NULL", "no tracker");
    status(te_tracker_settle(tracker, 7, 0), TE_ERROR_TOKEN, "token = 7", "an unknown token");
    status(te_tracker_fail(tracker, 7, 9, 0, NULL), TE_ERROR_ARGUMENT, "recovery = 9", "an unknown recovery");
    expect(te_tracker_status(NULL, &error) == NULL && error == TE_ERROR_ARGUMENT, "the status of NULL");
    te_string_free(NULL);
    status(te_tracker_stop(tracker), TE_OK, "", "stop");
    status(te_tracker_stop(tracker), TE_OK, "", "stop again");
    status(te_tracker_push(tracker, &fix, 1), TE_ERROR_STOPPED, "stopped", "a push after the stop");
    status(te_tracker_sync(tracker), TE_ERROR_STOPPED, "stopped", "a sync after the stop");
    te_tracker_free(tracker);
    te_tracker_free(NULL);
}

static void *other_thread(void *context) {
    *(int *)context = *te_last_error() == 0;
    return NULL;
}

int main(void) {
    expect(te_abi_version() == TE_ABI_VERSION, "the version");
    expect(*te_last_error() == 0, "no error at first");
    filters();
    pushes();
    trackers();
    int is_empty = 0;
    pthread_t thread;
    pthread_create(&thread, NULL, other_thread, &is_empty);
    pthread_join(thread, NULL);
    expect(is_empty, "another thread has its own last error");
    if (failures == 0) puts("errors: every wrong call has its code and its reason");
    return failures != 0;
}
