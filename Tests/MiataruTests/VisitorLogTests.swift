import Testing
import TrackEngine
import TrackEngineHTTP

@Suite struct VisitorLogTests {
    private let start = Timestamp(secondsSince1970: 1_763_710_000)

    private func visit(_ id: String, after seconds: Double = 0) -> VisitorEntry {
        VisitorEntry(id: id, time: start.advanced(by: .seconds(seconds)))
    }

    private func names(
        _ log: inout VisitorLog, _ visits: [VisitorEntry], known: Set<String> = [],
        now seconds: Double = 1_000_000
    ) -> [String] {
        log.take(visits, known: known, now: start.advanced(by: .seconds(seconds))).map(\.id)
    }

    private static func visits(_ seconds: [Int64]) -> [VisitorEntry] {
        seconds.map { VisitorEntry(id: "stranger", time: Timestamp(secondsSince1970: $0)) }
    }

    @Test(arguments: [
        [1_000_000, 999_000, 950_000], [950_000, 999_000, 1_000_000], [9_000_000, 8_000_000, 2_000_000],
    ])
    func `several visits of one visitor are told of once, whatever their order and the server's clock`(
        _ seconds: [Int64]
    ) {
        var log = VisitorLog()
        let now = Timestamp(secondsSince1970: 1_000_000)
        #expect(
            log.take(Self.visits(seconds), known: [], now: now).map(\.time)
                == Self.visits([seconds.min() ?? 0]).map(\.time))
        let later = Timestamp(secondsSince1970: 1_000_060)
        #expect(log.take(Self.visits(seconds), known: [], now: later).isEmpty)
    }

    @Test func `somebody unknown is news once, and again after a day`() {
        var log = VisitorLog()
        #expect(names(&log, [visit("EVE")]) == ["EVE"])
        #expect(names(&log, [visit("EVE")]) == [])
        #expect(names(&log, [visit("EVE", after: 86_399), visit("MALLORY", after: 5)]) == ["MALLORY"])
        #expect(names(&log, [visit("EVE", after: 86_400)]) == ["EVE"])
        #expect(names(&log, [visit("EVE", after: 2 * 86_400 - 1)]) == [])
    }

    @Test func `who is known is none, however the app writes the id`() {
        var log = VisitorLog()
        #expect(names(&log, [visit("anna"), visit("BERT"), visit("EVE")], known: ["ANNA", "BERT"]) == ["EVE"])
        #expect(log.told.keys.sorted() == ["EVE"])
    }

    @Test func `a server whose clock is ahead keeps nobody quiet for years`() {
        var log = VisitorLog()
        #expect(names(&log, [visit("EVE", after: 1e9)], now: 10) == ["EVE"])
        #expect(log.told["EVE"] == start.advanced(by: .seconds(10)))
        #expect(names(&log, [visit("EVE", after: 90_000)], now: 90_000) == ["EVE"])
    }

    @Test func `nobody is told of twice where more ask than are remembered, and it is read as it was written`() throws {
        var log = VisitorLog()
        let visits = (0..<300).map { visit("ID\($0)", after: Double($0)) }
        #expect(names(&log, visits, now: 300) == (0..<256).map { "ID\($0)" })
        for second in [300.0, 900, 86_000] {
            log = try #require(VisitorLog(log.json))
            #expect(names(&log, visits, now: second) == [])
            #expect(log.toldOfMore == start.advanced(by: .seconds(300)), "it is said once that there are more")
        }
        #expect(log.told.count == VisitorLog.maximumCount && log.told["ID255"] != nil && log.told["ID256"] == nil)
        #expect(VisitorLog(log.json) == log)
    }

    @Test func `whose day is over makes room for others, unless the server still names them`() {
        var log = VisitorLog()
        let first = (0..<256).map { visit("ID\($0)") }
        #expect(names(&log, first, now: 0).count == 256)
        #expect(names(&log, [visit("EVE", after: 86_399)], now: 86_399) == [])
        #expect(names(&log, first + [visit("EVE", after: 86_400)], now: 86_400) == [])
        #expect(names(&log, Array(first.dropLast()) + [visit("EVE", after: 86_400)], now: 86_401) == ["EVE"])
        #expect(log.told.count == VisitorLog.maximumCount && log.told["ID255"] == nil)
    }

    @Test(arguments: ["", "[]", "{}", #"{"told": {"A": "x"}}"#, #"{"told": {"A": -1}}"#, #"{"told": {"A": 1e300}}"#])
    func `a document that is something else is none`(_ text: String) {
        #expect(VisitorLog(Array(text.utf8)) == nil)
    }

    @Test func `visits that are none are left out of a reply`() throws {
        let text = #"""
            {"MiataruVisitors": [{"DeviceID": "EVE", "TimeStamp": 1763710000500}, {"DeviceID": 5, "TimeStamp": 1},
            {"DeviceID": "X", "TimeStamp": 1e99}, {"DeviceID": "Y"}, 7]}
            """#
        let reply = try #require(JSONValue(ifReadable: Array(text.utf8)))
        #expect(VisitorEntry.all(in: reply) == [visit("EVE", after: 0.5)])
        #expect(VisitorEntry.all(in: .object([])) == nil)
    }
}
