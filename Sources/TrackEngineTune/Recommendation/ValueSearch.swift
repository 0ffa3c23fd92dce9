/// Finds a setting among a few round numbers by bisection.
package enum ValueSearch {
    /// The outcome of the last setting that satisfies a condition which small settings satisfy and large ones do
    /// not.
    ///
    /// The condition need not be strictly monotonic, and errors are not. The result always satisfies it, but a
    /// larger setting might satisfy it by chance, too. Tries at most log₂ of the number of settings, rounded up,
    /// plus one.
    package static func last<Outcome>(
        of settings: [Double], _ attempt: (Double) -> Outcome?, where isFine: (Outcome) -> Bool
    ) -> Outcome? {
        search(settings, attempt) { isFine($0) ? .later : .earlier }
    }

    /// The outcome of the first setting that satisfies a condition which large settings satisfy and small ones do not.
    package static func first<Outcome>(
        of settings: [Double], _ attempt: (Double) -> Outcome?, where isFine: (Outcome) -> Bool
    ) -> Outcome? {
        search(settings.reversed(), attempt) { isFine($0) ? .later : .earlier }
    }

    private enum Order {
        /// The condition is satisfied: search later settings.
        case later
        /// The condition is not satisfied: search earlier settings.
        case earlier
    }

    private static func search<Outcome>(
        _ settings: [Double], _ attempt: (Double) -> Outcome?, _ judge: (Outcome) -> Order
    ) -> Outcome? {
        var best: Outcome?
        var range = settings.indices
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            guard let outcome = attempt(settings[middle]) else { return best }
            switch judge(outcome) {
            case .later:
                best = outcome
                range = (middle + 1)..<range.upperBound
            case .earlier: range = range.lowerBound..<middle
            }
        }
        return best
    }
}
