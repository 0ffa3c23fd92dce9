/* Prints the resident memory of a tracker with a store in memory, after an hour of fixes. */
#include <stdio.h>
#include <string.h>
#include <trackengine.h>

static void deliver(void *context, uint64_t token, const te_record *records, size_t count) {
    (void)records;
    te_tracker_settle(*(te_tracker **)context, token, count);
}

int main(void) {
    static te_tracker *tracker;
    te_sink sink = TE_SINK_INIT("sink", deliver, &tracker);
    te_tracker_config config = TE_TRACKER_CONFIG_INIT("van");
    config.time_base = TE_TIME_FIX, config.sinks = &sink, config.sink_count = 1;
    tracker = te_tracker_new(&config, NULL);
    te_fix fix = TE_FIX_INIT;
    fix.latitude = 52, fix.longitude = 13, fix.speed = 12;
    for (fix.time = INT64_C(1772359200000000000); fix.time < INT64_C(1772362800000000000); fix.time += 1000000000) {
        fix.latitude += 1e-4;
        te_tracker_push(tracker, &fix, 1);
    }
    char line[128];
    FILE *file = fopen("/proc/self/status", "r");
    while (fgets(line, sizeof line, file))
        if (!strncmp(line, "VmHWM", 5) || !strncmp(line, "RssAnon", 7)) printf("resident: %s", line);
    te_tracker_free(tracker);
}
