package import TrackEngine

extension TrackRecord {
    /// Whether receivers can use it: they fail on NaN and skip 0, 0 (overland 3.2.6), so such a record must not go out.
    package var hasPosition: Bool {
        fix.coordinate.isValid && !fix.coordinate.isNullIsland
    }

    /// Why receivers of single positions, whose times count from 1970, cannot keep it; `nil` for one that can be sent.
    package var problemForReceivers: String? {
        guard hasPosition else { return Self.lackOfPosition }
        return fix.time.nanosecondsSince1970 < 0 ? "the record is from before 1970" : nil
    }

    /// Why a record without a position is refused.
    package static let lackOfPosition = "the record has no valid position"
}
