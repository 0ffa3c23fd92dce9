public import TrackEngine

extension OverlandSink.Configuration {
    /// The sink that CalmGeo's keys describe: its `url`, `token`, `method` and `httpTimeout`, and its format, a
    /// top-level array of records.
    ///
    /// When the records are sent is not part of it: bind the sink with ``/TrackEngine/CalmGeoConfiguration/sync``.
    ///
    /// - Returns: `nil` where there is no `url`, which to CalmGeo means that nothing is sent.
    public init?(calmGeo configuration: CalmGeoConfiguration, deviceID: DeviceID) {
        guard let url = configuration.url else { return nil }
        self.init(url: url, deviceID: deviceID)
        profile = .calmgeo
        method = configuration.method
        token = configuration.token
        httpTimeout = .milliseconds(configuration.httpTimeout)
    }
}
