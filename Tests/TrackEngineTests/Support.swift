import TrackEngine

/// A straight road to the north, at the equator of longitude 10: one metre is about 9.04e-6 degrees there.
enum Road {
    static let origin = Coordinate(latitude: 0.5, longitude: 10)
    static let start = Timestamp(secondsSince1970: 1_772_359_200)  // 2026-03-01T10:00:00Z

    /// A fix `second` seconds after the start and so many metres up the road.
    static func fix(
        _ second: Double, metres: Double = 0, speed: Double? = nil, accuracy: Double? = nil, activity: Activity? = nil
    ) -> Fix {
        Fix(
            time: start.advanced(by: .nanoseconds(Int64(second * 1e9))),
            coordinate: Coordinate(latitude: origin.latitude + metres / 110_574.4, longitude: origin.longitude),
            horizontalAccuracy: accuracy, speed: speed, activity: activity)
    }
}

extension TrackPipeline {
    /// What becomes of a fix itself; of what else it decides nothing is said.
    mutating func process(_ fix: Fix, at now: TrackInstant, wallClock: Timestamp? = nil) -> Decision {
        var first: Decision?
        process(fix, at: now, wallClock: wallClock) { first = first ?? $1 }
        return first ?? .undecided
    }

    /// The last thing that the passing of time led to.
    mutating func timeout(at now: TrackInstant) -> Decision? {
        var last: Decision?
        timeout(at: now) { last = $1 }
        return last
    }

    /// Judges a fix on its own time, after the deadlines before it, and gives all that came of it in words.
    mutating func feed(_ fix: Fix, wallClock: Timestamp? = nil) -> [String] {
        var words: [String] = []
        while let due = nextTimeout(before: fix, wallClock: wallClock) {
            if let decision = timeout(at: due) { words.append(decision.inWords(at: due)) }
        }
        let decision = process(fix, at: TrackInstant(fix.time), wallClock: wallClock)
        words.append(decision.inWords(at: TrackInstant(fix.time)))
        return words
    }

    /// Judges a fix with any rule, and gives the records and their fixes' seconds in words.
    mutating func feedLate(_ fix: Fix) -> [String] {
        var words: [String] = []
        replay(fix) { fix, decision in
            guard case .record = decision else { return }
            words.append(decision.inWords(at: TrackInstant(fix.time)))
        }
        return words
    }

    /// Judges fixes and gives what came of them, but for those that were only too near.
    mutating func feed(_ fixes: [Fix]) -> [String] {
        fixes.flatMap { feed($0) }.filter { !$0.contains("too-near") }
    }
}

extension Decision {
    /// `60: still, rests, motionchange` for a record; `61: too-near` for a rejection.
    func inWords(at moment: TrackInstant) -> String {
        let second = (moment.nanoseconds - Road.start.nanosecondsSince1970) / 1_000_000_000
        switch self {
        case .record(let record):
            let motion = record.isMoving ? "moves" : "rests"
            let event = record.event.map { ", \($0.name)" } ?? ""
            return "\(second): \(record.cause.name), \(motion)\(event)"
        case .reject(let reason): return "\(second): \(reason.name)"
        case .undecided: return "\(second): undecided"
        case .standby: return "\(second): standby"
        }
    }
}
