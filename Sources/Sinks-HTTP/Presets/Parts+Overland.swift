extension HTTPSink.Configuration.SuccessRule {
    /// A JSON object that has `ok` as `result`.
    fileprivate static var resultOK: Self {
        var rule = Self()
        rule.path = "result"
        rule.value = "ok"
        return rule
    }
}

// Receivers of features in the form of the Overland app. Each has its own rules for the records that it stores.

extension HTTPPreset.Settings {
    /// `POST /api/v1/points`: a token is the account's API key. The reply has the points as `data`.
    ///
    /// Source: the interface's description that every Dawarich serves at `/api-docs`.
    static var dawarich: Self {
        var parts = Self(path: "/api/v1/points")
        parts.otherPaths = ["/api/v1/overland/batches", "/api/v1/owntracks/points", "/api/v1"]
        parts.body = #"{"locations": %{records}}"#
        parts.record = """
            {"type": "Feature", "geometry": {"type": "Point", "coordinates": [%{longitude}, %{latitude}]},
             "properties": {"timestamp": "%{time}", "altitude": %{altitude?}, "speed": %{speed?}, "course": %{course?},
              "horizontal_accuracy": %{accuracy?}, "vertical_accuracy": %{verticalAccuracy?},
              "course_accuracy": %{courseAccuracy?}, "speed_accuracy": %{speedAccuracy?},
              "motion": ["%{activity?}"], "wifi": "%{wifi?}",
              "battery_level": %{battery?}, "battery_state": "%{batteryState?}", "device_id": "%{device}",
              "track_id": "%{id}"}}
            """
        parts.success.path = "data"
        return parts
    }

    /// `POST /api/overland` with a token. It silently rejects an accuracy below 0, reads a battery of -1 as -100 per
    /// cent, and an unknown number as 0.
    static var geopulse: Self {
        roundedFeatures(path: "/api/overland", others: ["/api/owntracks", "/api/dawarich"])
    }

    /// `POST /api/v1/ingest/overland` with a token that belongs to a device. It drops records without an accuracy
    /// and replies "ok".
    static var reitti: Self {
        roundedFeatures(
            path: "/api/v1/ingest/overland", others: ["/api/v1/ingest/owntracks", "/api/v1/ingest", "/api/v1"])
    }

    /// Features with whole numbers, without unknown values, but always with an accuracy.
    private static func roundedFeatures(path: String, others: [String]) -> Self {
        var parts = Self(path: path, otherPaths: others, success: .resultOK)
        parts.body = #"{"locations": %{records}}"#
        parts.record = """
            {"type": "Feature", "geometry": {"type": "Point", "coordinates": [%{longitude}, %{latitude}]},
             "properties": {"timestamp": "%{time}", "altitude": %{altitude:0?}, "speed": %{speed?},
              "course": %{course:0?}, "horizontal_accuracy": %{accuracy:0|100},
              "vertical_accuracy": %{verticalAccuracy:0?}, "motion": ["%{activity?}"],
              "battery_level": %{battery?}, "battery_state": "%{batteryState?}", "device_id": "%{device}"}}
            """
        return parts
    }

    /// `POST /api/wayfinder/overland/` with a token. It replies "ok" but does not store a record with a fractional
    /// speed, altitude or accuracy, with an unknown battery, or without one of these properties.
    static var wayfinder: Self {
        var parts = Self(
            path: "/api/wayfinder/overland/", otherPaths: ["/api/wayfinder/owntracks"], success: .resultOK)
        parts.body = #"{"locations": %{records}}"#
        parts.record = """
            {"type": "Feature", "geometry": {"type": "Point", "coordinates": [%{longitude}, %{latitude}]},
             "properties": {"timestamp": "%{time}", "altitude": %{altitude:0|0}, "speed": %{speed:0|-1},
              "course": %{course:0|-1}, "horizontal_accuracy": %{accuracy:0|-1},
              "vertical_accuracy": %{verticalAccuracy:0|-1}, "speed_accuracy": %{speedAccuracy:2|-1},
              "course_accuracy": %{courseAccuracy:2|-1}, "motion": ["%{activity?}"],
              "battery_state": "%{batteryState|full}", "battery_level": %{battery|1}, "wifi": "%{wifi}",
              "device_id": "%{device}"}}
            """
        return parts
    }
}
