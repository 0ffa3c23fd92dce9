import GPSDProtocol
import Testing
import TrackEngine
import TrackEngineGPSD

@Suite("Decoding of gpsd's lines")
struct ReportDecoderTests {
    /// What both decoders make of a line.
    private func decode(_ line: String) throws -> Report {
        var decoders = BothDecoders()
        let outcome = decoders.decode(Array(line.utf8))
        #expect(outcome.isIdentity, "\(outcome)")
        return try outcome.ours.get()
    }

    @Test(
        arguments: [
            (3, 14, "3.14"), (3, 15, "3.15"), (0, 16, "0.16"), (3, 16, "3.16"), (16, 1, "16.1"), (99, 0, "99.0"),
        ])
    func `VERSION of any protocol is welcome`(major: Int, minor: Int, expected: String) throws {
        let line = #"{"class":"VERSION","release":"3.27","rev":"x","proto_major":\#(major),"proto_minor":\#(minor)}"#
        #expect(try decode(line) == .version(release: "3.27", protocolVersion: expected))
    }

    @Test
    func `a TPV of gpsd 3.22, every field`() throws {
        var expected = PositionReport()
        expected.device = "/dev/ttyACM0"
        expected.time = Timestamp(rfc3339: "2026-03-01T10:00:00.500Z")
        expected.mode = .threeDimensional
        expected.status = .differential
        expected.coordinate = Coordinate(latitude: 48.123456789, longitude: -11.5)
        expected.altHAE = 567.1
        expected.altMSL = 520.25
        expected.alt = 520.25
        expected.geoidSeparation = 46.85
        expected.eph = 3.2
        expected.epx = 1.1
        expected.epy = 1.2
        expected.epv = 4.4
        expected.speed = 3.071
        expected.eps = 0.9
        expected.track = 12.5
        expected.epd = 7.25
        let line =
            #"{"class":"TPV","device":"/dev/ttyACM0","status":2,"mode":3,"time":"2026-03-01T10:00:00.500Z","#
            + #""ept":0.005,"lat":48.123456789,"lon":-11.500000000,"altHAE":567.1,"altMSL":520.25,"alt":520.25,"#
            + #""epx":1.1,"epy":1.2,"epv":4.4,"track":12.5,"speed":3.071,"climb":0.0,"epd":7.25,"eps":0.9,"#
            + #""geoidSep":46.85,"eph":3.2,"sep":5.5}"#
        #expect(try decode(line) == .position(expected))
    }

    @Test
    func `nothing of one TPV is left in the next`() throws {
        var decoders = BothDecoders()
        _ = decoders.decode(Array(Line.position(0).utf8.dropLast()))
        var expected = PositionReport()
        expected.mode = .twoDimensional
        let outcome = decoders.decode(Array(#"{"class":"TPV","mode":2}"#.utf8))
        #expect(outcome.ours == .success(.position(expected)))
        #expect(outcome.libgps == .success(.position(expected)))
    }

    @Test(
        arguments: [
            #"{"class":"TPV","baseS":{"a":[1,{"b":2}]},"mode":2,"lat":1.5,"lon":2.5}"#,
            #"{"class":"TPV","x":null,"mode":2,"jam":3,"lat":1.5,"y":true,"lon":2.5}"#,
            #"{"lat":1.5,"mode":2,"lon":2.5,"class":"TPV"}"#,
            #"  {"class" : "TPV", "mode" : 2, "lat" : 1.5, "lon" : 2.5}  "#,
            #"{"class":"TPV","aNameThatIsLongerThanThirtyOneBytes":7,"mode":2,"lat":1.5,"lon":2.5}"#,
            #"{"class":"TPV","time":1272316800.25,"mode":2,"lat":1.5,"lon":2.5,"status":0}"#,
            #"{"class":"TPV","time":"2026-13-41T25:61:61Z","mode":2,"lat":1.5,"lon":2.5,"status":77}"#,
            #"{"class":"TPV","time":"never","mode":2,"lat":1.5,"lon":2.5,"status":-1}"#,
        ])
    func `nested members, null and unknown names of newer releases do not stop the decoding`(line: String) throws {
        var expected = PositionReport()
        expected.hasMalformedTime = line.contains(#""time":""#)
        expected.mode = .twoDimensional
        expected.coordinate = Coordinate(latitude: 1.5, longitude: 2.5)
        #expect(try decode(line) == .position(expected))
    }

    @Test(
        arguments: [
            #"{"class":"TPV","mode":0}"#, #"{"class":"TPV","mode":1}"#, #"{"class":"TPV","mode":-3}"#,
            #"{"class":"TPV","mode":99999999999999999999}"#,
        ])
    func `a mode that is no solution is none, and half a position is none`(line: String) throws {
        #expect(try decode(line) == .position(PositionReport()))
        var half = PositionReport()
        half.mode = .twoDimensional
        #expect(try decode(#"{"class":"TPV","mode":2,"lat":"48.1","lon":11.5}"#) == .position(half))
    }

    @Test(
        arguments: [
            "", "garbage", "$GPRMC,100000.00,A*00", "{}", "[]", "null", #"{"class":5}"#, #"{"class":"TPV"}"#,
            #"{"class":"TPV","mode":2,"lat":48.1,"lo"#, #"{"class":"TPV","mode":"three"}"#,
            #"{"class":"DEVICES","devices":[{"class":"DEVICE","pa"#, #"{"class":"DEVICE"}"#,
            #"{"class":"TPV","mode":3,"lat":1e999,"lon":2}"#, #"{"class":"TPV","mode":3,"lat":none}"#,
            #"{"class":"TPV","mode":3}{"class":"SKY"}"#, String(repeating: "{", count: 10_000),
            #"{"class":"TPV","x":"# + String(repeating: "[", count: 5000),
        ])
    func `what is no report is an error, and never a hang or a crash`(line: String) {
        #expect(throws: MalformedReport.self) { try decode(line) }
    }

    @Test
    func `more devices than libgps 3.22 was built for`() throws {
        let paths = (0..<40).map { "/dev/gps\($0)" }
        #expect(try decode(String(Line.devices(paths).dropLast())) == .devices(paths))
        #expect(try decode(#"{"class":"DEVICES","devices":[]}"#) == .devices([]))
    }

    @Test
    func `a device that comes and goes`() throws {
        let came = #"{"class":"DEVICE","path":"/dev/a","driver":"u-blox","activated":"2026-03-01T10:00:00.100Z"}"#
        #expect(try decode(came) == .device(path: "/dev/a", isActive: true))
        let went = #"{"class":"DEVICE","path":"/dev/a","activated":0}"#
        #expect(try decode(went) == .device(path: "/dev/a", isActive: false))
    }

    @Test
    func `a path has at most 256 bytes, wherever it stands`() throws {
        let (longest, tooLong) = (String(repeating: "x", count: 256), String(repeating: "x", count: 257))
        let lines = { (path: String) in
            [
                #"{"class":"DEVICE","path":"\#(path)"}"#, #"{"class":"DEVICES","devices":[{"path":"\#(path)"}]}"#,
                #"{"class":"TPV","mode":1,"device":"\#(path)"}"#, #"{"class":"SKY","device":"\#(path)","nSat":1}"#,
            ]
        }
        for line in lines(longest) { _ = try decode(line) }
        for line in lines(tooLong) { #expect(throws: MalformedReport.self) { try decode(line) } }
    }

    @Test(
        arguments: [
            (#""nSat":12,"uSat":7,"hdop":0.9,"pdop":1.8"#, 7, 12, 0.9, 1.8),
            (
                #""hdop":1.5,"satellites":[{"PRN":1,"used":true},{"PRN":2,"used":true},{"PRN":3,"used":false}]"#, 2, 3,
                1.5, nil
            ),
            (#""nSat":3,"uSat":1,"satellites":[{"PRN":1,"used":true,"new":[1]}],"pdop":2"#, 1, 3, nil, 2.0),
            (#""hdop":2.5"#, nil, nil, 2.5, nil),
            (#""satellites":[]"#, 0, 0, nil, nil),
            (#""nSat":-4,"uSat":1.5"#, nil, nil, nil, nil),
        ] as [(String, Int?, Int?, Double?, Double?)])
    func `SKY counts satellites as the release allows`(
        members: String, used: Int?, visible: Int?, hdop: Double?, pdop: Double?
    ) throws {
        var expected = SkyReport()
        expected.device = "/dev/a"
        expected.satellitesUsed = used
        expected.satellitesVisible = visible
        expected.hdop = hdop
        expected.pdop = pdop
        #expect(try decode(#"{"class":"SKY","device":"/dev/a",\#(members)}"#) == .sky(expected))
    }

    @Test
    func `the error sigmas of GST are no position`() throws {
        let gst = #"{"class":"GST","device":"/dev/a","time":"2026-03-01T10:00:00Z","lat":3.1,"lon":2.2,"alt":5}"#
        #expect(try decode(gst) == .other("GST"))
        #expect(try decode(#"{"class":"AIS","type":1,"lat":1,"lon":2}"#) == .other("AIS"))
    }

    @Test
    func `WATCH and ERROR`() throws {
        #expect(try decode(#"{"class":"WATCH","enable":false,"json":true}"#) == .watch(isEnabled: false))
        #expect(try decode(#"{"class":"ERROR","message":"Unrecognized request"}"#) == .error("Unrecognized request"))
    }
}
