import Testing
import TrackEngine
import TrackEngineServer

/// Long requests in portions.
@Suite struct RequestPortionTests {
    private static let feature =
        #"{"type":"Feature","geometry":{"type":"Point","coordinates":[9.98,53.55]},"properties":{"timestamp":TIME,"x":"]},{["}}"#

    private static func features(_ count: Int, from first: Int = 0) -> String {
        (first..<first + count).map { number in
            feature.split(separator: "TIME").joined(separator: "\(1_772_359_200 + number)")
        }.joined(separator: " ,\n")
    }

    private static func request(_ body: String) -> SenderRequest {
        SenderRequest(body: Array(body.utf8), time: Golden.received)
    }

    private static func portions(_ body: String) throws -> [SenderRequest] {
        var portions = try RequestSplitter(request(body))
        var all: [SenderRequest] = []
        while let next = portions.next() { all.append(next) }
        return all
    }

    @Test(arguments: [
        #"{"locations":[FIRST],"device_id":"van","features":[SECOND],"trip":{"mode":"bus","start":"now"}}"#,
        #" { "device_id" : "van","locations": [ FIRST ] } "#, "[FIRST]", #"{"locations":[],"features":[SECOND]}"#,
    ])
    func `portions of a long request say the same as the whole`(_ form: String) throws {
        let body = form.split(separator: "FIRST", omittingEmptySubsequences: false)
            .joined(separator: Self.features(4_100)).split(separator: "SECOND", omittingEmptySubsequences: false)
            .joined(separator: Self.features(2_500, from: 9_000))
        let whole = try OverlandSender().read(Self.request(body))
        let portions = try Self.portions(body).map { try OverlandSender().read($0) }
        #expect(portions.count > 1 && portions.allSatisfy { (1...2_000).contains($0.points.count) })
        #expect(portions.flatMap(\.points) == whole.points)
        #expect(portions.allSatisfy { $0.trip == whole.trip })
    }

    @Test(arguments: [
        (#"[["#, "{},", #"{}],FEATURE]"#), (#"{"locations":[FEATURE,["#, "{},", "{}]]}"),
        (#"["#, #"\u0000"#, #"",FEATURE]"#),
        (
            #"{"locations":[FEATURE,{"photo":""#, "xxx",
            #"","type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{"timestamp":1772359200}}]}"#
        ),
    ])
    func `an element that is too long is not copied, and costs no other`(
        _ head: String, _ filling: String, _ tail: String
    ) throws {
        let head = head == "[" ? "[\"" : head
        let ends = [head, tail].map { $0.replacing("FEATURE", with: Self.features(1)) }
        let body = ends[0] + String(repeating: filling, count: (4 << 20) / filling.utf8.count) + ends[1]
        let portions = try Self.portions(body)
        #expect(portions.allSatisfy { $0.body.count < 1 << 18 })
        let format: any SenderFormat = body.hasPrefix("{") ? OverlandSender() : OwnTracksSender()
        let receptions = try portions.map { try format.read($0) }
        let whole = try format.read(Self.request(body))
        #expect(receptions.flatMap(\.points) == whole.points)
        #expect(receptions.reduce(0) { $0 + $1.refusalCount } == whole.refusalCount)
        #expect(receptions.flatMap(\.refusals).map(\.reason) == whole.refusals.map(\.reason))
    }

    @Test func `a short request and one without a list stay whole`() throws {
        let texts = [
            "", "{}", "lat=1&lon=2", #"{"locations":[\#(Self.features(9))]}"#,
            #"{"_type":"location","photo":"\#(String(repeating: "x", count: 200_000))"}"#,
        ]
        for text in texts {
            let portions = try Self.portions(text)
            #expect(portions.map(\.body) == [Array(text.utf8)])
        }
        let empty = try Self.portions(#"{"locations":[],"x":"\#(String(repeating: "x", count: 200_000))"}"#)
        #expect(empty.isEmpty)
    }

    @Test(arguments: [
        ("[", ""), ("[", "]]"), (#"{"locations":["#, "]"), (#"{"locations":["#, "}}"), ("", ""), ("[1 2,", "]"),
    ])
    func `a long body that is no JSON is refused before a point of it is read`(_ head: String, _ tail: String) {
        #expect(throws: UnreadableRequest.self) { try Self.portions(head + Self.features(3_000) + tail) }
    }

    @Test func `a long form with a picture is handed on as it is`() throws {
        let body =
            "--x\r\nContent-Disposition: form-data; name=\"image\"\r\n\r\n" + String(repeating: "p", count: 140_000)
        #expect(try Self.portions(body).map(\.body) == [Array(body.utf8)])
    }

    @Test func `of portions the number of points stays, and what is only to be shown`() throws {
        let trip = #""trip":{"mode":"train","start":"2026-03-01T10:00:00Z"}"#
        let body = #"{"locations":[\#(Self.features(3_000))],\#(trip)}"#
        let whole = try OverlandSender().read(Self.request(body))
        var joined = RequestContent()
        for portion in try Self.portions(body) { joined.join(try OverlandSender().read(portion)) }
        #expect(joined.points.isEmpty && joined.pointCount == whole.pointCount)
        #expect(joined.trip?.mode == "train" && joined.trip == whole.trip)
    }
}
