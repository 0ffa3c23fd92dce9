package import TrackEngine

extension TrackRecord {
    /// Whether servers can use the position. They fail on NaN and skip 0, 0 (overland 3.2.6), so such a record is
    /// not sent.
    package var hasPosition: Bool { fix.coordinate.isUsable }

    /// The reason why servers for single positions, with times counted from 1970, cannot keep the record; `nil` if
    /// it can be sent.
    var problemForReceivers: String? {
        guard hasPosition else { return Self.lackOfPosition }
        return fix.time.nanosecondsSince1970 < 0 ? "the record is from before 1970" : nil
    }

    /// The reason for refusing a record without a position.
    static let lackOfPosition = "the record has no valid position"
}
