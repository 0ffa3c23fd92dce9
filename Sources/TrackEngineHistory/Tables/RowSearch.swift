/// Finds rows after damaged pages of a table that is ordered by time.
enum RowSearch {
    /// The times that a history supports, in milliseconds.
    static let times: Range<Int64> = -(1 << 54)..<(1 << 54)

    /// The times that a point can have, in milliseconds: those of a ``/TrackEngine/Timestamp``, the same backwards.
    static let possible = -latest...latest
    private static let latest = Int64.max / 1_000_000 + 1

    /// The most gaps that a reading passes. Where more rows than that are alone between others, the table has not its own
    /// contents, and a search for each would take minutes.
    static let mostGaps = 8

    /// Returns the nearest time from which a row can be read, or from which there are no more rows, starting at a
    /// time that cannot be read; `nil` when all further rows are damaged.
    ///
    /// The search takes steps that double, with seven probes between the ends of each, and repeats from the last
    /// damaged time before a sound one. So a sound page between two damaged ones is seldom missed. It takes some
    /// thousand probes.
    ///
    /// - Parameters:
    ///   - time: the time that cannot be read, in milliseconds.
    ///   - isBackward: whether to search earlier times instead of later ones.
    ///   - isSound: whether the next row from a time on can be read.
    static func time(
        beyond time: Int64, isBackward: Bool = false, _ isSound: (Int64) throws -> Bool
    ) rethrows -> Int64? {
        let sign: Int64 = isBackward ? -1 : 1
        var damaged = min(max(sign * max(time, -.max), times.lowerBound), times.upperBound - 1)
        var sound = times.upperBound
        while sound - damaged > 1 {
            let start = damaged
            var step: Int64 = 1
            var isFound = false
            while !isFound, damaged < sound - 1 {
                let target = min(start + step, sound - 1)
                let width = max((target - damaged) / 8, 1)
                while !isFound, damaged < target {
                    let probe = min(damaged + width, target)
                    isFound = try isSound(sign * probe)
                    if isFound { sound = probe } else { damaged = probe }
                }
                step *= 2
            }
        }
        return sound == times.upperBound ? nil : sign * sound
    }
}
