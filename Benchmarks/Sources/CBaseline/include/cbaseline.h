#pragma once
#include <stddef.h>
#include <stdint.h>

/// The beginning of a `Fix` as Swift lays it out, so that both languages walk over the same bytes. An unknown speed is NaN.
typedef struct {
    int64_t time;
    double latitude;
    double longitude;
    double altitude;
    double ellipsoidal_altitude;
    double horizontal_accuracy;
    double vertical_accuracy;
    double speed;
} cbaseline_fix;

/// CalmGeo's rule: base distance in metres and multiplier.
typedef struct {
    double base;
    double multiplier;
} cbaseline_rule;

/// A position from which others are measured on a plane.
typedef struct {
    double latitude;
    double longitude;
    double metres_per_longitude;
    double metres_per_latitude;
    double tolerance;
    double reach_squared;
} cbaseline_anchor;

/// An anchor at a position.
cbaseline_anchor cbaseline_anchor_at(double latitude, double longitude);

/// Applies the rule with the arithmetic of `DistanceSampler`: on a plane where the answer is clear, else exactly.
///
/// `stride` is the size of a fix in bytes. Writes the places of the kept fixes and answers how many there are.
size_t cbaseline_sample_plane(const void *fixes, size_t stride, size_t count, cbaseline_rule rule,
                              cbaseline_anchor *anchor, int64_t *kept);

/// Applies the rule as trackers usually do: the haversine for every fix.
size_t cbaseline_sample_haversine(const void *fixes, size_t stride, size_t count, cbaseline_rule rule,
                                  cbaseline_anchor *anchor, int64_t *kept);
