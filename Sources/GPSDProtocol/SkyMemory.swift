/// The last satellites and dilutions of one device, as long as they are still valid.
struct SkyMemory: Sendable {
    /// Receivers report the sky every one to five seconds.
    private static let lifetime = Duration.seconds(10)

    private var latest = SkyReport()
    private var satellitesHeard: Duration?
    private var dilutionsHeard: Duration?

    /// Adds a SKY, which may have dilutions only, or satellites only: the other values are kept.
    mutating func add(_ report: SkyReport, at now: Duration) {
        if report.device != latest.device { self = SkyMemory() }
        latest.device = report.device
        if report.satellitesVisible != nil || report.satellitesUsed != nil {
            latest.satellitesUsed = report.satellitesUsed
            latest.satellitesVisible = report.satellitesVisible
            satellitesHeard = now
        }
        if report.hdop != nil || report.pdop != nil {
            latest.hdop = report.hdop
            latest.pdop = report.pdop
            dilutionsHeard = now
        }
    }

    func latest(of device: String?, at now: Duration) -> SkyReport {
        var sky = SkyReport()
        guard latest.device == device else { return sky }
        if let satellitesHeard, Self.isFresh(satellitesHeard, at: now) {
            sky.satellitesUsed = latest.satellitesUsed
            sky.satellitesVisible = latest.satellitesVisible
        }
        if let dilutionsHeard, Self.isFresh(dilutionsHeard, at: now) {
            sky.hdop = latest.hdop
            sky.pdop = latest.pdop
        }
        return sky
    }

    /// Whether values are recent. A recorded sky may be later than its epoch, or follow a step back in time.
    private static func isFresh(_ heard: Duration, at now: Duration) -> Bool {
        now - heard <= lifetime && heard - now <= lifetime
    }
}
