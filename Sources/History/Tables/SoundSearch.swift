/// Finds rows behind damaged pages of a table that is ordered by time.
enum SoundSearch {
    /// Times in milliseconds that a history may know.
    static let times: Range<Int64> = -(1 << 54)..<(1 << 54)

    /// The time nearest to one, at which nothing can be read, from which on a row can be read, or that there are no more; `nil`
    /// where all that follows is damaged.
    ///
    /// It is looked for in steps that double, with seven looks on the way of each, again and again from the last one that did not
    /// reach it: so a sound page between two damaged ones is seldom passed over. It takes some thousand looks.
    ///
    /// - Parameters:
    ///   - time: the time at which nothing can be read, in milliseconds.
    ///   - isBackward: whether earlier times are looked at, not later ones.
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
