package import TrackEngine

/// Decides which epochs are emitted: all of them, or one per interval when the engine demands fewer.
package struct EpochSchedule: Sendable {
    private let rate: Int
    /// The epoch of the last emitted fix.
    private var last: Int?

    package init(rate: Int) {
        self.rate = rate
    }

    /// The next epoch to emit, not before `index`.
    package func next(from index: Int, under demand: FixDemand) -> Int {
        switch demand {
        case .continuous: index
        case .occasional(let interval): max(index, last.map { $0 + epochs(in: interval) } ?? index)
        }
    }

    /// Records that an epoch's fix was emitted.
    package mutating func emitted(_ index: Int) {
        last = index
    }

    /// The number of periods that cover an interval; a day at most, so that no interval overflows.
    private func epochs(in interval: Duration) -> Int {
        let seconds = min(max(interval.inSeconds, 0), 86_400)
        return Int((seconds * Double(rate)).rounded(.up))
    }
}
