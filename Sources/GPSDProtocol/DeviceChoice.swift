internal import TrackEngine

/// Decides to which of gpsd's receivers the source listens, so that two antennas never become one zigzag.
///
/// With a configured path: to that one only. Without: to the first that delivers, until it goes away or has been silent
/// while another one talks.
package struct DeviceChoice: Sendable {
    private enum State {
        /// The configuration names it; nothing changes that.
        case fixed(String)
        /// The next receiver that delivers becomes `following`.
        case open
        /// A receiver delivers; back to `open` when it goes, on to another when it is silent for too long.
        case following(String?, heard: Duration)
    }

    private let patience: Duration
    private var state: State

    /// A choice before anything was heard.
    ///
    /// - Parameters:
    ///   - device: the receiver's path as gpsd names it; `nil` follows the first that delivers.
    ///   - patience: how long the followed receiver may be silent while another one talks.
    package init(device: String?, patience: Duration) {
        self.patience = patience
        state = device.map { .fixed($0) } ?? .open
    }

    /// The path that the configuration names.
    package var configured: String? {
        guard case .fixed(let path) = state else { return nil }
        return path
    }

    /// Whether to take a report: one of the followed receiver, or one that makes its receiver the followed one, which
    /// needs a position and a time.
    package mutating func takes(_ report: PositionReport, at now: Duration) -> Bool {
        let hasFix = report.mode != nil && report.coordinate != nil && report.time != nil
        return hasFix ? takes(report.device, at: now) : isCandidate(report.device)
    }

    /// Whether to take a position of this receiver; hearing it counts.
    package mutating func takes(_ device: String?, at now: Duration) -> Bool {
        switch state {
        case .fixed(let path):
            return device == path
        case .open:
            state = .following(device, heard: now)
            return true
        case .following(let current, let heard):
            guard device == current || now - heard > patience else { return false }
            state = .following(device, heard: now)
            return true
        }
    }

    /// Whether this is the receiver that counts, or one that could become it; hearing it does not count.
    package func isCandidate(_ device: String?) -> Bool {
        switch state {
        case .fixed(let path): device == path
        case .open: true
        case .following(let current, _): device == current
        }
    }

    /// A receiver has gone: whoever delivers next may follow.
    package mutating func remove(_ device: String) {
        guard case .following(device, _) = state else { return }
        state = .open
    }
}
