import Testing
import TrackEngine
import TrackEngineFiles

/// NMEA logs from a noisy line: the checksum protects what is read.
@Suite struct NMEADamageTests {
    private static func sentence(_ body: String) -> String {
        let sum = body.utf8.reduce(0, ^)
        return "$\(body)*\(sum < 16 ? "0" : "")\(String(sum, radix: 16, uppercase: true))\r\n"
    }

    /// Three epochs of two sentences each.
    private static let log = (0..<3).map { second in
        sentence("GPRMC,10153\(second).00,A,480\(second).0380,N,01131.0000,E,022.4,084.4,230324,,,A")
            + sentence("GPGGA,10153\(second).00,480\(second).0380,N,01131.0000,E,1,08,0.9,545.4,M,46.9,M,,")
    }.joined()

    /// What one epoch may be: both of its sentences, or one of them.
    private static let allowed: Set<Fix> = {
        let lines = log.split(separator: "\r\n").map { $0 + "\r\n" }
        var fixes = Set(TrackFormat.nmea.read(Array(log.utf8)).fixes)
        for epoch in 0..<3 {
            for line in lines[(2 * epoch)...(2 * epoch + 1)] {
                var reader = TrackReader(.nmea, startDate: Timestamp("2024-03-23T00:00:00Z"))
                fixes.formUnion(reader.read(Array(line.utf8)).fixes + reader.finish().fixes)
            }
        }
        return fixes
    }()

    @Test(arguments: ["0", "9", ",", ".", "A", "x", "-", " ", "\u{7f}"])
    func `one wrong character anywhere gives no fix that the receiver did not send`(_ character: String) throws {
        let bytes = Array(Self.log.utf8)
        let wrong = try #require(character.utf8.first)
        #expect(Self.allowed.count == 9)
        for place in bytes.indices where bytes[place] != wrong && bytes[place] >= 0x20 {
            var damaged = bytes
            damaged[place] = wrong
            let chunk = TrackFormat.nmea.read(damaged)
            #expect(Self.allowed.isSuperset(of: chunk.fixes), "\(character) at \(place)")
            #expect(chunk.fixes.count >= 2, "\(character) at \(place)")
        }
    }

    @Test(arguments: [("52.5", "13.4"), ("5.25", "113.405"), ("52", "13")])
    func `degrees with decimals are no degrees and minutes`(_ latitude: String, _ longitude: String) {
        let body = "GPRMC,101530,A,\(latitude),N,\(longitude),E,,,230324,,,A"
        let chunk = read(Self.sentence(body), as: .nmea)
        #expect(chunk.fixes.isEmpty)
        #expect(chunk.problems.count == 1)
    }

    @Test(
        arguments: [
            ("0000.0000", "00000.0000", 0, 0), ("9000.0000", "18000.0000", 90, 180), ("4530", "00730", 45.5, 7.5),
            ("0000.0006", "00000.0006", 0.000_01, 0.000_01),
        ] as [(String, String, Double, Double)])
    func `degrees and minutes become degrees in all four quarters of the globe`(
        _ latitude: String, _ longitude: String, _ north: Double, _ east: Double
    ) {
        for (northing, easting, signs) in [
            ("N", "E", (1.0, 1.0)), ("N", "W", (1, -1)), ("S", "E", (-1, 1)), ("S", "W", (-1, -1)),
        ] {
            let body = "GPRMC,101530,A,\(latitude),\(northing),\(longitude),\(easting),,,230324,,,A"
            let place = read(Self.sentence(body), as: .nmea).fixes.first?.coordinate
            #expect(abs((place?.latitude ?? .nan) - signs.0 * north) < 1e-12)
            #expect(abs((place?.longitude ?? .nan) - signs.1 * east) < 1e-12)
        }
    }

    @Test(arguments: [
        "9000.0001,N,00000,E", "0000,N,18000.0001,E", "0060,N,00000,E", "-100,N,00000,E", "0000,E,00000,N",
        "0000,,00000,",
    ])
    func `a place beyond the globe, or without its hemisphere, is reported`(_ place: String) {
        let chunk = read(Self.sentence("GPRMC,101530,A,\(place),,,230324,,,A"), as: .nmea)
        #expect(chunk.fixes.isEmpty)
        #expect(chunk.problems.map(\.kind) == [.malformed])
    }

    @Test(arguments: [
        ("101530", 0), ("101530.5", 500_000_000), ("101530.123456789", 123_456_789), ("101530.0", 0), ("101530.", 0),
    ])
    func `a time of day may have any number of decimals`(_ time: String, _ nanoseconds: Int) {
        let fixes = read(Self.sentence("GPRMC,\(time),A,4807.038,N,01131.000,E,,,230324,,,A"), as: .nmea).fixes
        #expect(fixes.map { Int($0.time.nanosecondsInSecond) } == [nanoseconds])
        #expect(fixes.map(\.time.secondsSince1970) == [Timestamp("2024-03-23T10:15:30Z")?.secondsSince1970])
    }

    @Test(arguments: ["", " ", "\u{0}"])
    func `sentences without line ends are one line of any length and all are read`(_ gap: String) {
        let log = (0..<30).map { second in
            let time = "1015\(second < 10 ? "0" : "")\(second).00"
            return Self.sentence("GPRMC,\(time),A,4800.0380,N,01131.0000,E,022.4,084.4,230324,,,A")
                + Self.sentence("GPGGA,\(time),4800.0380,N,01131.0000,E,1,08,0.9,545.4,M,46.9,M,,")
        }.joined().replacing("\r\n", with: gap)
        let chunk = read(log, as: .nmea)
        #expect(chunk.fixes.count == 30)
        #expect(chunk.fixes.allSatisfy { $0.altitude == 545.4 && $0.speed != nil })
        #expect(chunk.problemTexts == [])
    }

    @Test func `a sentence in a long comment is none`() {
        let sentence = Self.sentence("GPRMC,101530,A,4807.038,N,01131.000,E,,,230324,,,A").replacing("\r\n", with: "")
        let filler = String(repeating: "x", count: 600)
        let next = Self.sentence("GPRMC,101531,A,4807.038,N,01131.000,E,,,230324,,,A")
        let chunk = read("# \(filler)\(sentence)\(filler)\n\(next)", as: .nmea)
        #expect(chunk.fixes.map(\.time) == [Timestamp("2024-03-23T10:15:31Z")])
    }

    @Test func `a sentence that is longer than a line may be is reported, and the next line is read`() {
        let long = "$GPTXT," + String(repeating: "a", count: 2000)
        let chunk = read(Self.log + long + "$" + long + "\r\n" + Self.log, as: .nmea)
        #expect(chunk.fixes.count == 6)
        #expect(chunk.problems.map(\.kind) == [.oversized])
        #expect(chunk.problems.map(\.line) == [7])
    }
}
