/* Uses the interface at random for a number of rounds, several trackers and threads at a time: random_use ROUNDS SEED
 * [DIRECTORY]. For valgrind and sanitizers. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <trackengine.h>

static _Thread_local uint64_t state;

static uint32_t chance(uint32_t bound) {
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(state >> 33) % bound;
}

static te_fix random_fix(int64_t *time) {
    te_fix fix = TE_FIX_INIT;
    *time += (int64_t)chance(20) * 1000000000 - (chance(30) == 0 ? 1000000000000 : 0);
    fix.time = *time;
    fix.latitude = chance(50) ? 50 + chance(1000) * 1e-5 : NAN;
    fix.longitude = chance(50) ? 8 + chance(1000) * 1e-5 : 1e9;
    if (chance(2)) fix.speed = chance(30) - 1.0;
    if (chance(2)) fix.course = chance(800) - 400.0;
    if (chance(2)) fix.horizontal_accuracy = chance(60);
    fix.activity = (uint8_t)chance(9), fix.mode = (uint8_t)chance(5), fix.status = (uint8_t)chance(12);
    return fix;
}

static const char *settings[] = {
    NULL, "{\"record\": \"deviation\"}", "{\"record\": \"any\", \"interval\": 5}", "{\"preset\": \"miataru-1\"}",
    "{\"distanceFilter\": 0, \"stillAfter\": 5, \"standbyAfter\": 9}", "{\"oops\": 1}", "{",
};

static void use_filter(void) {
    te_filter_config config = TE_FILTER_CONFIG_INIT;
    config.tracking = settings[chance(7)];
    config.wall_clock = chance(2) ? INT64_C(1790000000000000000) : 0;
    te_filter *filter = te_filter_new(&config, NULL);
    if (filter == NULL) return;
    int64_t time = INT64_C(1772359200000000000);
    for (uint32_t round = 0; round < 20; round++) {
        uint32_t count = chance(300), capacity = 1 + chance(300);
        te_fix *fixes = malloc((count + 1) * sizeof *fixes);
        te_decision *items = malloc(capacity * sizeof *items);
        for (uint32_t i = 0; i < count; i++) fixes[i] = random_fix(&time);
        te_decisions decisions = TE_DECISIONS_INIT(items, capacity);
        for (size_t start = 0; start < count; start += decisions.taken) {
            if (te_filter_push(filter, fixes + start, count - start, &decisions) != TE_OK) abort();
            for (size_t i = 0; i < decisions.count; i++)
                if (items[i].kind < TE_RECORD || items[i].kind > TE_STANDBY) abort();
        }
        if (chance(4) == 0) te_filter_flush(filter, &decisions);
        if (chance(4) == 0) te_filter_interrupt(filter, &decisions);
        free(fixes);
        free(items);
    }
    te_filter_free(filter);
}

/* A sink that settles at once, or later by another thread. */
struct receiver {
    pthread_mutex_t lock;
    te_tracker *tracker;
    uint64_t waiting[4096];
    size_t counts[4096], length, total;
};

static void deliver(void *context, uint64_t token, const te_record *records, size_t count) {
    struct receiver *receiver = context;
    pthread_mutex_lock(&receiver->lock);
    for (size_t i = 0; i < count; i++) receiver->total += strlen(records[i].id);
    if (receiver->length < 4096) {
        receiver->waiting[receiver->length] = token;
        receiver->counts[receiver->length++] = count;
    }
    pthread_mutex_unlock(&receiver->lock);
}

static void settle(struct receiver *receiver) {
    pthread_mutex_lock(&receiver->lock);
    if (receiver->length > 0) {
        size_t last = --receiver->length;
        switch (chance(5)) {
        case 0: te_tracker_fail(receiver->tracker, receiver->waiting[last], 1 + chance(5), chance(3), "chance"); break;
        case 1: te_tracker_settle(receiver->tracker, receiver->waiting[last], receiver->counts[last] + 1); /* error */
        /* fall through */
        default: te_tracker_settle(receiver->tracker, receiver->waiting[last], chance((uint32_t)receiver->counts[last] + 1));
        }
        te_tracker_settle(receiver->tracker, receiver->waiting[last] + chance(2) * 1000, 0); /* mostly an error */
    }
    pthread_mutex_unlock(&receiver->lock);
}

static void use_tracker(const char *directory) {
    struct receiver *receiver = calloc(1, sizeof *receiver);
    pthread_mutex_init(&receiver->lock, NULL);
    te_sink sink = TE_SINK_INIT("sink", deliver, receiver);
    sink.sync = "{\"syncThreshold\": 3, \"maxBatchSize\": 20, \"backoff\": {\"maximum\": 1}}";
    te_tracker_config config = TE_TRACKER_CONFIG_INIT("device");
    config.tracking = chance(2) ? "{\"flushTimeout\": 0}" : "{\"flushTimeout\": 0.2, \"record\": \"deviation\"}";
    config.time_base = chance(2), config.directory = directory, config.sinks = &sink, config.sink_count = 1;
    te_tracker *tracker = receiver->tracker = te_tracker_new(&config, NULL); /* deliver() does not read it */
    if (tracker == NULL) {
        printf("random_use: %s\n", te_last_error());
        exit(1);
    }
    int64_t time = INT64_C(1772359200000000000);
    for (uint32_t round = 0; round < 60; round++) {
        te_fix fixes[8];
        uint32_t count = chance(9);
        for (uint32_t i = 0; i < count; i++) fixes[i] = random_fix(&time);
        te_tracker_push(tracker, fixes, count);
        settle(receiver);
        if (chance(10) == 0) te_string_free(te_tracker_status(tracker, NULL));
        if (chance(200) == 0) te_tracker_stop(tracker);
    }
    te_tracker_free(tracker);
    pthread_mutex_destroy(&receiver->lock);
    free(receiver);
}

struct job {
    uint64_t seed;
    int rounds;
    const char *directory;
};

static void *work(void *context) {
    const struct job *job = context;
    state = job->seed;
    for (int round = 0; round < job->rounds; round++) {
        use_filter();
        use_tracker(job->directory);
    }
    return NULL;
}

int main(int count, char **arguments) {
    if (count < 3) return puts("expected: random_use ROUNDS SEED [DIRECTORY]"), 2;
    struct job jobs[3];
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) {
        jobs[i] = (struct job){strtoull(arguments[2], NULL, 10) + (uint64_t)i, atoi(arguments[1]), NULL};
        if (i == 0 && count > 3) jobs[i].directory = arguments[3];
        pthread_create(&threads[i], NULL, work, &jobs[i]);
    }
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    puts("random_use: ended");
}
