import Testing
import TrackEngine
import TrackEngineServer

@Suite struct MicroLoggerTests {
    /// A form of several parts as the app writes it, which begins with a line end.
    private func parts(_ parameters: [(String, String)], picture: Int = 0) -> [UInt8] {
        let divider = "\r\n------uLoggerBoundaryAbc_-123"
        var body = ""
        for (name, value) in parameters {
            body += "\(divider)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)"
        }
        body += "\(divider)\r\nContent-Disposition: form-data; name=\"image\"; filename=\"upload\"\r\n"
        body += "Content-Type: image/jpeg\r\nContent-Transfer-Encoding: binary\r\n\r\n"
        let bytes = (0..<picture).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        return Array(body.utf8) + bytes + Array("\(divider)--\r\n".utf8)
    }

    private let position = [
        ("action", "addpos"), ("lat", "53.55"), ("lon", "9.98"), ("time", "1772359200"),
        ("comment", "Käse & Brot\nlat=1"),
        ("speed", "3.4"),
    ]

    private func read(_ body: [UInt8]) throws -> RequestContent {
        try MicroLoggerSender().read(
            SenderRequest(body: body, mediaType: "multipart/form-data", time: Golden.received))
    }

    @Test func `A position with a picture is kept without it`() throws {
        let fix = try #require(try read(parts(position, picture: 300_000)).points.first).point.fix
        #expect(fix.coordinate == Coordinate(latitude: 53.55, longitude: 9.98) && fix.speed == 3.4)
        #expect(fix.time == Timestamp(secondsSince1970: 1_772_359_200))
    }

    @Test func `A form of several parts that is cut anywhere has no other place`() throws {
        let body = parts(position)
        for length in 0..<body.count {
            guard let reception = try? read(Array(body.prefix(length))) else { continue }  // refused
            for point in reception.points {
                #expect(point.point.fix.coordinate == Coordinate(latitude: 53.55, longitude: 9.98), "\(length) bytes")
            }
        }
    }

    @Test(arguments: ["", "--", "--\r\n", "\r\n", "--b\r\n--b\r\n--b--", "no parts", "--b\r\n\r\n\r\n\r\n--b--"])
    func `A form without parts is refused`(_ text: String) {
        #expect(throws: UnreadableRequest.self) { try read(Array(text.utf8)) }
    }
}
