#include <gps.h>
#include <stdio.h>
#include <trackengine.h>

int main(int count, char **arguments) { /* a durable track of gpsd's fixes: gpsd PORT DIRECTORY */
    te_tracker_config config = TE_TRACKER_CONFIG_INIT("van-7");
    config.directory = count > 2 ? arguments[2] : NULL;
    te_tracker *tracker = te_tracker_new(&config, NULL);
    struct gps_data_t gps;
    if (!tracker || gps_open("localhost", count > 1 ? arguments[1] : DEFAULT_GPSD_PORT, &gps)) return 1;
    gps_stream(&gps, WATCH_ENABLE | WATCH_JSON, NULL);
    while (gps_waiting(&gps, 5000000) && gps_read(&gps, NULL, 0) > 0) {
        if (!(gps.set & LATLON_SET) || gps.fix.mode < MODE_2D) continue;
        te_fix fix = {sizeof fix, (uint8_t)gps.fix.mode, 0, 0, 0, gps.fix.time.tv_sec * INT64_C(1000000000) + gps.fix.time.tv_nsec,
                      gps.fix.latitude, gps.fix.longitude, gps.fix.altMSL, gps.fix.altHAE, gps.fix.eph, gps.fix.epv,
                      gps.fix.speed, gps.fix.eps, gps.fix.track, gps.fix.epd, NAN, NAN, -1, -1, 0};
        te_tracker_push(tracker, &fix, 1);
    }
    puts(te_tracker_status(tracker, NULL)), te_tracker_free(tracker);
}
