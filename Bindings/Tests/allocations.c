/* Counts the allocations of te_filter_push, with the malloc of ../../Tests/AllocationProbe in place of the library's. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <trackengine.h>

#include "allocation_probe.h"

static te_fix fixes[100 * 256];

static int64_t count(const char *tracking) {
    te_filter_config config = TE_FILTER_CONFIG_INIT;
    config.tracking = tracking;
    te_filter *filter = te_filter_new(&config, NULL);
    static te_decision items[264];
    te_decisions decisions = TE_DECISIONS_INIT(items, 264);
    int64_t allocations = 0, late = 0;
    for (size_t start = 0; start < sizeof fixes / sizeof *fixes; start += decisions.taken) {
        size_t rest = sizeof fixes / sizeof *fixes - start;
        allocation_probe_start();
        te_filter_push(filter, fixes + start, rest < 256 ? rest : 256, &decisions);
        allocation_probe_stop();
        if (start >= 256) allocations += allocation_probe_count(); /* the first batch may set something up */
        for (size_t i = 0; i < decisions.count; i++) late += items[i].fix < start;
    }
    te_filter_free(filter);
    printf("allocations: %lld in 99 batches of 256 with %s\n", (long long)allocations, tracking);
    return allocations;
}

int main(void) {
    allocation_probe_start();
    void *volatile memory = malloc(1); /* volatile, or the compiler leaves the call out */
    free(memory);
    allocation_probe_stop();
    if (allocation_probe_count() != 1) return puts("allocations: expected a counter that counts"), 1;
    double latitude = 52, course = 0;
    for (size_t i = 0; i < sizeof fixes / sizeof *fixes; i++) {
        double speed = i % 600 < 90 ? 0 : 14;
        if (i % 37 == 0) course += 0.5;
        latitude += speed * cos(course) / 111000;
        fixes[i] = (te_fix)TE_FIX_INIT;
        fixes[i].time = (1772359200 + (int64_t)i) * 1000000000;
        fixes[i].latitude = latitude, fixes[i].longitude = 13 + sin(course) * 1e-3 * (double)(i % 600), fixes[i].speed = speed;
    }
    int64_t all = count("{}") + count("{\"record\": \"any\", \"interval\": 20, \"angle\": 30}") +
                  count("{\"fetchActivity\": true, \"maximumSpeed\": 100}") + count("{\"record\": \"deviation\"}");
    return all != 0;
}
