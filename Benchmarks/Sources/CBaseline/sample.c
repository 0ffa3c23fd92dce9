#include "cbaseline.h"

#include <math.h>

static const double semi_major_axis = 6378137.0;
static const double eccentricity_squared = 1 / 298.257223563 * (2 - 1 / 298.257223563);
static const double mean_radius = 6371008.7714;

static inline double radians(double degrees) { return degrees * (M_PI / 180); }

static inline const cbaseline_fix *fix_at(const void *fixes, size_t stride, size_t index) {
    return (const cbaseline_fix *)((const char *)fixes + stride * index);
}

// The plane, as DistanceAnchor does it.

cbaseline_anchor cbaseline_anchor_at(double latitude, double longitude) {
    double sine = sin(radians(latitude)), cosine = cos(radians(latitude));
    double flatness = 1 - eccentricity_squared * sine * sine;
    double prime_vertical = semi_major_axis / sqrt(flatness);
    double meridian = prime_vertical * (1 - eccentricity_squared) / flatness;
    double axis_distance = prime_vertical * cosine;
    double reach = fmin(0.01 * fmax(axis_distance, 0), 19000);
    return (cbaseline_anchor){latitude, longitude,            radians(axis_distance), radians(meridian),
                              1.25 / axis_distance, reach * reach};
}

static void earth_centred(double latitude, double longitude, double *xyz) {
    double sine = sin(radians(latitude)), cosine = cos(radians(latitude));
    double prime_vertical = semi_major_axis / sqrt(1 - eccentricity_squared * sine * sine);
    xyz[0] = prime_vertical * cosine * cos(radians(longitude));
    xyz[1] = prime_vertical * cosine * sin(radians(longitude));
    xyz[2] = prime_vertical * (1 - eccentricity_squared) * sine;
}

// Distances beyond 20 km do not occur in the tracks that are measured.
static __attribute__((noinline)) int is_measured_farther(const cbaseline_anchor *anchor, const cbaseline_fix *fix,
                                                         double metres) {
    double a[3], b[3];
    earth_centred(anchor->latitude, anchor->longitude, a);
    earth_centred(fix->latitude, fix->longitude, b);
    double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    double chord = sqrt(x * x + y * y + z * z);
    return 2 * mean_radius * asin(chord / (2 * mean_radius)) > metres;
}

static inline int is_farther(const cbaseline_anchor *anchor, const cbaseline_fix *fix, double metres) {
    double east = (fix->longitude - anchor->longitude) * anchor->metres_per_longitude;
    double north = (fix->latitude - anchor->latitude) * anchor->metres_per_latitude;
    double square = east * east + north * north;
    double asked = metres * metres;
    double doubt = 1.000002 + anchor->tolerance * metres;
    if (square <= anchor->reach_squared && metres > 0) {
        if (square * doubt + 1e-6 < asked) return 0;
        if (square > asked * doubt + 1e-6) return 1;
    }
    return is_measured_farther(anchor, fix, metres);
}

static inline double rounded(double value) {
    if (!(value < 0x1p51)) return round(value);
    double nearest = (value + 0x1p52) - 0x1p52;
    return nearest + (value - nearest >= 0.5 ? 1 : 0);
}

static inline double threshold(cbaseline_rule rule, double speed) {
    if (!(speed >= 2.5) || !(speed < INFINITY)) return rule.base;
    double scaled = rounded(speed / 5) * rule.multiplier * rule.base;
    return scaled > rule.base ? scaled : rule.base;
}

size_t cbaseline_sample_plane(const void *fixes, size_t stride, size_t count, cbaseline_rule rule,
                              cbaseline_anchor *anchor, int64_t *kept) {
    size_t number = 0;
    cbaseline_anchor from = *anchor;
    for (size_t index = 0; index < count; index++) {
        const cbaseline_fix *fix = fix_at(fixes, stride, index);
        if (!is_farther(&from, fix, threshold(rule, fix->speed))) continue;
        from = cbaseline_anchor_at(fix->latitude, fix->longitude);
        kept[number++] = (int64_t)index;
    }
    *anchor = from;
    return number;
}

// The haversine, as everybody writes it.

static inline double haversine(double latitude1, double longitude1, double latitude2, double longitude2) {
    double north = sin(radians(latitude2 - latitude1) / 2), east = sin(radians(longitude2 - longitude1) / 2);
    double a = north * north + cos(radians(latitude1)) * cos(radians(latitude2)) * east * east;
    return 2 * 6371000 * asin(sqrt(a));
}

size_t cbaseline_sample_haversine(const void *fixes, size_t stride, size_t count, cbaseline_rule rule,
                                  cbaseline_anchor *anchor, int64_t *kept) {
    size_t number = 0;
    double latitude = anchor->latitude, longitude = anchor->longitude;
    for (size_t index = 0; index < count; index++) {
        const cbaseline_fix *fix = fix_at(fixes, stride, index);
        double speed = isnan(fix->speed) ? -1 : fix->speed;
        double needed = fmax(round(speed / 5) * rule.multiplier * rule.base, rule.base);
        if (!(haversine(latitude, longitude, fix->latitude, fix->longitude) > needed)) continue;
        latitude = fix->latitude;
        longitude = fix->longitude;
        kept[number++] = (int64_t)index;
    }
    *anchor = (cbaseline_anchor){.latitude = latitude, .longitude = longitude};
    return number;
}
