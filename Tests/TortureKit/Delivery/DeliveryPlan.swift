import TrackEngine
import TrackEngineSimulated

/// What one try of the delivery does, from its number and nothing else.
package struct DeliveryPlan: Sendable {
    /// What the receiver has against records.
    package enum Receiver: String, Sendable, CaseIterable {
        /// Nothing; it only fails, loses replies and dies.
        case disturbed
        /// One record in a while, with an explicit refusal.
        case onePoisonRefused
        /// One record in a while, on which it fails.
        case onePoisonFailing
        /// Two records side by side.
        case adjacentPoison
        /// Every record, until it is mended.
        case refusesAll
        /// Batches over a size.
        case tooLarge
        /// A broker in the place of a receiver.
        case broker
    }

    package let receiver: Receiver
    package let kills: Int
    package var random: SplitMix64

    package init(number: Int, random: SplitMix64) {
        receiver = Receiver.allCases[number % Receiver.allCases.count]
        self.random = random
        kills = 5
    }

    /// Which times make a record poison: the first `width` of each `period` milliseconds; `nil` for none.
    package var poisonTimes: (period: Int64, width: Int64)? {
        switch receiver {
        case .disturbed, .refusesAll, .tooLarge, .broker: nil
        case .onePoisonRefused, .onePoisonFailing: (period: 1700, width: 100)
        case .adjacentPoison: (period: 2300, width: 200)
        }
    }

    package func isPoison(atMilliseconds time: Int64) -> Bool {
        guard let (period, width) = poisonTimes else { return false }
        return time % period < width
    }

    /// The next time in the middle between two poison records; `nil` where no time makes one.
    package func goodTime(after time: Timestamp) -> Timestamp? {
        poisonTimes.map { period, width in
            let milliseconds = time.nanosecondsSince1970 / 1_000_000
            let middle = (milliseconds / period + 1) * period + (width + period) / 2
            return Timestamp(nanosecondsSince1970: middle * 1_000_000)
        }
    }

    /// How the receiver treats requests while nothing else is wrong, as `Tests/Receiver/Behaviour.swift` has it.
    package var steadyScript: String {
        switch receiver {
        case .disturbed, .broker: "ok"
        case .refusesAll: "status:400"
        case .tooLarge: "limit:3"
        case .onePoisonRefused: "poison-times:400:1700/100"
        case .onePoisonFailing: "poison-times:500:1700/100"
        case .adjacentPoison: "poison-times:422:2300/200"
        }
    }

    /// How it treats them at the end.
    package var finalScript: String { receiver == .refusesAll ? "ok" : steadyScript }
}
