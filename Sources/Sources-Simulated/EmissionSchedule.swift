package import TrackEngine

/// Decides which epochs are due: all of them, or one per interval when the engine asks for less.
package struct EmissionSchedule: Sendable {
    private let rate: Int
    /// The epoch whose fix was emitted last.
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

    /// Notes that an epoch's fix was emitted.
    package mutating func emitted(_ index: Int) {
        last = index
    }

    /// How many periods it takes to cover an interval; a day at the most, so that no interval overflows.
    private func epochs(in interval: Duration) -> Int {
        let seconds = min(max(interval.inSeconds, 0), 86_400)
        return Int((seconds * Double(rate)).rounded(.up))
    }
}
