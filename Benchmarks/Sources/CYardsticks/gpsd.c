#include <gps.h>
#include <string.h>

#include "cyardsticks.h"

// libgps exports it for its own client library; gps.h of 3.22 declares it.
int cyardsticks_gpsd_unpack(const char *line, size_t length) {
    static struct gps_data_t data;
    char copy[2048];
    if (length >= sizeof copy) return 0;
    memcpy(copy, line, length);
    copy[length] = '\0';
    return gps_unpack(copy, &data) == 0;
}
