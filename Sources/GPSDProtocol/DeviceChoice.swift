internal import TrackEngine

/// Chooses the receiver of gpsd that the source follows, so that two antennas do not form one zigzag track.
///
/// With a configured path it is that receiver only. Otherwise it is the first receiver that delivers a position, until
/// it is removed, or has been silent while another one delivers.
package struct DeviceChoice: Sendable {
    private enum State {
        /// The receiver of the configuration; permanent.
        case fixed(String)
        /// The next receiver that delivers becomes `following`.
        case open
        /// A receiver delivers. Its removal leads to `open`; after too long a silence another receiver is followed.
        case following(String?, heard: Duration)
    }

    private let patience: Duration
    private var state: State

    /// Creates a choice before the first report.
    ///
    /// - Parameters:
    ///   - device: the receiver's path as gpsd names it; `nil` follows the first receiver that delivers.
    ///   - patience: the maximum silence of the followed receiver while another one delivers.
    package init(device: String?, patience: Duration) {
        self.patience = patience
        state = device.map { .fixed($0) } ?? .open
    }

    /// The path in the configuration.
    package var configured: String? {
        guard case .fixed(let path) = state else { return nil }
        return path
    }

    /// Whether to accept a report: one of the followed receiver, or one that makes its receiver the followed one,
    /// which needs a position and a time.
    package mutating func takes(_ report: PositionReport, at now: Duration) -> Bool {
        let isUsable = report.coordinate.map { $0.isValid && !$0.isOnAxis } == true
        let hasFix = report.mode != nil && isUsable && report.time != nil
        return hasFix ? takes(report.device, at: now) : isCandidate(report.device)
    }

    /// Whether to accept a position of this receiver; it counts as a sign of life. One without a name is the followed
    /// receiver's.
    package mutating func takes(_ device: String?, at now: Duration) -> Bool {
        switch state {
        case .fixed(let path):
            return device == path
        case .open:
            state = .following(device, heard: now)
            return true
        case .following(let current, let heard):
            guard device == nil || current == nil || device == current || now - heard > patience else { return false }
            state = .following(device ?? current, heard: now)
            return true
        }
    }

    /// Whether the receiver is, or could become, the followed one; this does not count as a sign of life.
    package func isCandidate(_ device: String?) -> Bool {
        switch state {
        case .fixed(let path): device == path
        case .open: true
        case .following(let current, _): device == nil || current == nil || device == current
        }
    }

    /// Handles the removal of a receiver: the next one that delivers may be followed.
    package mutating func remove(_ device: String) {
        guard case .following(device, _) = state else { return }
        state = .open
    }
}
