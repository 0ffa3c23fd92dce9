// Stores of measurements.

extension HTTPPreset.Settings {
    /// `POST …/api/v1/ACCESS_TOKEN/telemetry`, times in milliseconds since 1970; the reply has no body.
    ///
    /// Source: https://thingsboard.io/docs/reference/http-api/telemetry/
    static var thingsboard: Self {
        var parts = Self(path: "/telemetry")
        parts.body = "%{records}"
        parts.record = """
            {"ts": %{time:epochMilliseconds}, "values": {"latitude": %{latitude}, "longitude": %{longitude},
             "altitude": %{altitude?}, "speed": %{speed?}, "course": %{course?}, "accuracy": %{accuracy?},
             "satellites": %{satellites?}, "battery": %{battery:percent?}, "charging": %{charging?},
             "moving": %{moving}, "activity": "%{activity?}", "odometer": %{odometer?}}}
            """
        return parts
    }

    /// `POST …/api/v2/write?org=…&bucket=…`; a token follows the word `Token`. The reply is 204.
    ///
    /// Source: https://docs.influxdata.com/influxdb/v2/write-data/developer-tools/api/
    static var influx: Self {
        var parts = lines(path: "/api/v2/write")
        parts.otherPaths = ["/api/v2"]
        return parts
    }

    /// `POST …/write?db=…`; with a token, which InfluxDB 1.8 accepts, or with basic authentication. The reply is
    /// 204.
    ///
    /// Source: https://docs.influxdata.com/influxdb/v1/tools/api/#write-http-endpoint
    static var influx1: Self {
        var parts = lines(path: "/write")
        parts.otherPaths = ["/query", "/ping"]
        return parts
    }

    private static func lines(path: String) -> Self {
        var parts = Self(path: path, fixedParameters: ["precision=ms"], format: .influx)
        parts.record =
            "track,device=%{device} lat=%{latitude},lon=%{longitude},altitude=%{altitude},speed=%{speed},"
            + "course=%{course},accuracy=%{accuracy},satellites=%{satellites}i,battery=%{battery:percent},"
            + "moving=%{moving},odometer=%{odometer} %{time:epochMilliseconds}"
        parts.tokenScheme = "Token"
        return parts
    }
}
