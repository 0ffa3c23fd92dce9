import Testing
import TortureKit

/// What the judge of deliveries lets pass, and what it does not.
struct DeliveryOracleTests {
    private static func oracle(
        _ arrivals: [Int], kills: Int = 0, poison: Set<Int> = [], dead: Set<Int> = [], empty: Int? = nil
    ) -> DeliveryOracle {
        var disturbances = DeliveryOracle.Disturbances()
        disturbances.kills = kills
        return DeliveryOracle(
            stored: (1...100).map { .init(sequence: Int64($0), id: "\($0)", isPoison: poison.contains($0)) },
            dead: Dictionary(uniqueKeysWithValues: dead.map { ("\($0)", "HTTP 400") }),
            arrivals: arrivals.map(String.init), emptyRequests: empty, disturbances: disturbances)
    }

    private static let all = Array(1...100)

    @Test func `everything once and in order is as it should be`() {
        #expect(Self.oracle(Self.all).violations == [])
    }

    @Test func `a kill may repeat the window before it, and nothing may repeat without one`() {
        let repeated = Array(1...50) + Array(31...100)
        #expect(Self.oracle(repeated, kills: 1).violations == [])
        #expect(Self.oracle(repeated).violations.count == 1)
    }

    @Test func `a record from before the window may not come again, however many kills there were`() {
        let repeated = Array(1...50) + Array(30...100)
        #expect(Self.oracle(repeated, kills: 10).violations == ["(d) 1 records came again after more than 20 others"])
    }

    @Test func `a control comes ahead of its turn, and again after a kill, only where there is poison`() {
        let controlled = Array(1...4) + [100] + Array(6...100)
        #expect(Self.oracle(controlled, kills: 1, poison: [5], dead: [5]).violations == [])
        #expect(Self.oracle(Array(1...4) + [100] + Array(5...99)).violations.count == 1)
    }

    @Test func `requests without a record are bounded by the dead letters and the kills`() {
        let good = Self.all.filter { $0 != 5 }
        #expect(Self.oracle(good, poison: [5], dead: [5], empty: 12).violations == [])
        #expect(Self.oracle(good, poison: [5], dead: [5], empty: 13).violations.count == 1)
    }

    @Test func `a full run that made too few kills says so`() {
        let part = DeliveryPart()
        #expect(part.shortfalls(of: ["tries with broker": 2, "kills": 14, "records": 400]) == [])
        #expect(
            part.shortfalls(of: ["tries with broker": 60, "kills": 420, "records": 9000])
                == ["cut short: 420 of 500 kills"])
    }
}
