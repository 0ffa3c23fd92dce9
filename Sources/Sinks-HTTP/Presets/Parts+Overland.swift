extension HTTPSink.Configuration.SuccessRule {
    /// A JSON object whose `result` is `ok`.
    fileprivate static var resultOK: Self {
        var rule = Self()
        rule.path = "result"
        rule.value = "ok"
        return rule
    }
}

// Receivers of features as the Overland app sends them. Each has a rule of its own for what it stores.

extension HTTPPreset.Parts {
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

    /// `POST /api/overland` with a token. It refuses an accuracy below 0 without a word, takes a battery of -1 for -100 per
    /// cent, and an unknown number for 0.
    static var geopulse: Self {
        roundedFeatures(path: "/api/overland", others: ["/api/owntracks", "/api/dawarich"])
    }

    /// `POST /api/v1/ingest/overland` with a token that belongs to a device. It drops what has no accuracy and says "ok".
    static var reitti: Self {
        roundedFeatures(
            path: "/api/v1/ingest/overland", others: ["/api/v1/ingest/owntracks", "/api/v1/ingest", "/api/v1"])
    }

    /// Features with whole numbers and without what is not known, but an accuracy always.
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

    /// `POST /api/wayfinder/overland/` with a token. It says "ok" and stores nothing of a record whose speed, altitude or
    /// accuracy has a fraction, whose battery is unknown, or that lacks one of these properties.
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
