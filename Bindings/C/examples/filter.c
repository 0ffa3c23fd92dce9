#include <inttypes.h>
#include <stdio.h>
#include <trackengine.h>

int main(void) { /* lines of seconds,latitude,longitude; prints the records */
    te_filter *filter = te_filter_new(NULL, NULL);
    te_decision items[16];
    te_decisions decisions = TE_DECISIONS_INIT(items, 16);
    te_fix fix = TE_FIX_INIT;
    double seconds;
    while (scanf("%lf,%lf,%lf", &seconds, &fix.latitude, &fix.longitude) == 3) {
        fix.time = (int64_t)(seconds * 1e9);
        if (te_filter_push(filter, &fix, 1, &decisions) != TE_OK) return fprintf(stderr, "%s\n", te_last_error()), 1;
        for (size_t i = 0; i < decisions.count; i++)
            if (items[i].kind == TE_RECORD) printf("fix %" PRIu64 ": %s\n", items[i].fix, te_cause_name(items[i].reason));
    }
    te_filter_free(filter);
}
