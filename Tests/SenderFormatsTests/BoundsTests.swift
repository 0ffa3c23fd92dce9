import TestSupport
import Testing
import TrackEngineServer

@Suite struct BoundsTests {
    @Test(arguments: Golden.formats.map(\.name))
    func `A request that is cut anywhere is read or refused`(_ name: String) throws {
        let format = try #require(Golden.formats.first { $0.name == name })
        for file in try Golden.names() where file.hasPrefix(name + "-") {
            let whole = try Golden.request(try Golden.text(of: file))
            for length in stride(from: 0, to: whole.body.count, by: 7) {
                var request = whole
                request.body = Array(whole.body.prefix(length))
                let text = ReceptionText.of(request, in: format)
                // No part of a document in JSON is one; a part of a form is a form.
                guard length > 0, whole.mediaType == "application/json" else { continue }
                #expect(text.hasPrefix("unreadable"), "\(file), \(length) bytes")
            }
        }
    }

    @Test func `Brackets without end are refused and not followed`() {
        let request = SenderRequest(body: Array(repeating: UInt8(ascii: "["), count: 1_000_000), time: Golden.received)
        for format in Golden.formats
        where !(format is GPSLoggerSender || format is TraccarSender || format is MicroLoggerSender) {
            expectMessage(ReceptionText.of(request, in: format), begin: "unreadable", as: "brackets for \(format.name)")
        }
    }

    @Test func `Numbers beyond every range are no values, and no crash`() throws {
        let numbers =
            "\"timestamp\":1e300,\"speed\":1e308,\"battery_level\":-1e308,\"satellites\":1e9,\"altitude\":1e300"
        for time in ["1e300", "-1e300", "9e18", "1772359200"] {
            let feature =
                #"{"geometry":{"type":"Point","coordinates":[9.98,53.55]},"properties":{\#(numbers),"timestamp":\#(time)}}"#
            let request = SenderRequest(body: Array(#"{"locations":[\#(feature)]}"#.utf8), time: Golden.received)
            let reception = try OverlandSender().read(request)
            #expect(reception.points.count + reception.refusals.count == 1)
            #expect(reception.points.allSatisfy { $0.point.fix.satellitesUsed == nil && $0.point.host == nil })
        }
    }

    @Test func `A batch at the wrong address is refused, however long it is`() {
        let feature =
            #"{"type":"Feature","geometry":{"type":"Point","coordinates":[9.98,53.55]},"properties":{"timestamp":"2026-03-01T10:00:00Z","device_id":"van-7"}}"#
        for count in [1, 50, 2_000] {
            let features = Array(repeating: feature, count: count).joined(separator: ",")
            let request = SenderRequest(
                body: Array(#"{"locations":[\#(features)],"device_id":"van-7"}"#.utf8), mediaType: "application/json",
                time: Golden.received)
            for format in Golden.formats where !(format is OverlandSender) {
                #expect(ReceptionText.of(request, in: format).hasPrefix("unreadable"), "\(format.name), \(count)")
            }
        }
    }

    @Test func `Long names of points that differ at their ends do not make them one`() throws {
        let features = ["a", "b"].map { end in
            let name = String(repeating: "n", count: 64) + end
            return
                #"{"geometry":{"type":"Point","coordinates":[9.98,53.55]},"properties":{"timestamp":1772359200,"record_id":"\#(name)"}}"#
        }
        let body = #"{"locations":[\#(features.joined(separator: ","))]}"#
        let reception = try OverlandSender().read(SenderRequest(body: Array(body.utf8), time: Golden.received))
        #expect(reception.points.map(\.point.senderID) == [nil, nil])
    }

    @Test func `A form is read up to a bound`() {
        let parameters = ParameterList(Array(repeating: UInt8(ascii: "a"), count: 10_000_000))
        #expect(!parameters.isEmpty)
        #expect(ParameterList(String(repeating: "&", count: ParameterList.maximumLength) + "a=1").isEmpty)
    }
}
