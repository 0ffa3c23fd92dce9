package import TrackEngine

extension TrackRecord {
    /// Whether receivers can use it: they fail on NaN and skip 0, 0 (overland 3.2.6), so such a record must not go out.
    package var hasPosition: Bool {
        fix.coordinate.isValid && !fix.coordinate.isNullIsland
    }

    /// Why a record without a position is refused.
    package static let lackOfPosition = "the record has no valid position"
}
