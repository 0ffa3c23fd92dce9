import TestSupport
import Testing
import TrackEngine
import TrackEngineFiles

@Suite("gpsd's JSON lines")
struct GPSDTests {
    private func tpv(_ second: Int, _ members: String, device: String = "/dev/ttyS0") -> String {
        #"{"class":"TPV","device":"\#(device)","time":"2026-03-01T10:00:0\#(second).000Z",\#(members)}"# + "\r\n"
    }

    private let position = #""mode":3,"lat":48.117300000,"lon":-11.516666667"#

    @Test
    func `every value of a TPV has its place`() throws {
        let text = tpv(
            1,
            position + #","status":2,"altMSL":545.4,"altHAE":592.3,"alt":545.4,"eph":8.5,"epx":3,"epy":4,"epv":12,"#
                + #""speed":1.25,"eps":0.5,"track":359.9,"epd":7"#)
        let fix = try #require(decode(text, as: .gpsd).fixes.first)
        #expect(
            fix
                == Fix(
                    time: try #require(moment("2026-03-01T10:00:01Z")),
                    coordinate: Coordinate(latitude: 48.1173, longitude: -11.516_666_667), altitude: 545.4,
                    ellipsoidalAltitude: 592.3, horizontalAccuracy: 8.5, verticalAccuracy: 12, speed: 1.25,
                    speedAccuracy: 0.5, course: 359.9, courseAccuracy: 7, mode: .threeDimensional,
                    status: .differential))
    }

    @Test func `a report behind the zeros of a power cut is read`() {
        let text = tpv(1, position) + String(repeating: "\0", count: 30) + tpv(2, position)
        #expect(decode(text, as: .gpsd).fixes.count == 2)
    }

    @Test(arguments: ["-1", "511"])
    func `a course outside of a circle is unknown`(_ track: String) {
        #expect(decode(tpv(1, position + #","speed":2,"track":\#(track)"#), as: .gpsd).fixes.map(\.course) == [nil])
    }

    @Test
    func `several TPV of one epoch are one fix that forgets nothing`() {
        let text =
            tpv(1, position + #","altHAE":592.3"#) + tpv(1, position + #","speed":2"#)
            + tpv(1, #""mode":2,"lat":48.2,"lon":11.5"#) + tpv(2, position)
        let fixes = decode(text, as: .gpsd).fixes
        #expect(fixes.count == 2)
        #expect(fixes.first?.ellipsoidalAltitude == 592.3)
        #expect(fixes.first?.speed == 2)
        #expect(fixes.first?.mode == .threeDimensional)
        #expect(fixes.first?.coordinate.latitude == 48.1173)  // of the report with the better solution
    }

    @Test
    func `without eph the accuracy is the root of epx² + epy²`() {
        #expect(decode(tpv(1, position + #","epx":3,"epy":4"#), as: .gpsd).fixes.map(\.horizontalAccuracy) == [5])
        #expect(decode(tpv(1, position + #","epx":3"#), as: .gpsd).fixes.map(\.horizontalAccuracy) == [nil])
    }

    @Test
    func `alt counts only where it must be above the sea`() {
        #expect(decode(tpv(1, position + #","alt":7"#), as: .gpsd).fixes.map(\.altitude) == [7])
        #expect(decode(tpv(1, position + #","alt":7,"altHAE":7"#), as: .gpsd).fixes.map(\.altitude) == [nil])
        #expect(decode(tpv(1, position + #","alt":7,"altMSL":8"#), as: .gpsd).fixes.map(\.altitude) == [8])
        // It repeats altMSL or, where that is unknown, altHAE; what is not altHAE is a height above the sea.
        #expect(decode(tpv(1, position + #","alt":520,"altHAE":567"#), as: .gpsd).fixes.map(\.altitude) == [520])
        let both = decode(tpv(1, position + #","alt":567,"altHAE":567,"geoidSep":0"#), as: .gpsd)
        #expect(both.fixes.map(\.altitude) == [567])
    }

    @Test
    func `SKY tells satellites and dilutions, counted by hand where the daemon does not`() {
        let old =
            #"{"class":"SKY","device":"/dev/ttyS0","hdop":1.25,"pdop":2.5,"satellites":["#
            + #"{"PRN":1,"used":true},{"PRN":2,"used":false,"x":{"y":[1]}},{"PRN":3,"used":true}]}"# + "\n"
        let fix = decode(old + tpv(1, position), as: .gpsd).fixes.first
        #expect(fix?.satellitesUsed == 2)
        #expect(fix?.satellitesVisible == 3)
        #expect(fix?.horizontalDilution == 1.25)
        #expect(fix?.positionDilution == 2.5)
        let new = #"{"class":"SKY","device":"/dev/ttyS0","nSat":12,"uSat":9,"satellites":[]}"# + "\n"
        #expect(decode(new + tpv(1, position), as: .gpsd).fixes.map(\.satellitesUsed) == [9])
    }

    @Test
    func `an old SKY does not describe a later fix`() {
        let sky = #"{"class":"SKY","device":"/dev/ttyS0","time":"2026-03-01T09:59:00Z","uSat":9}"# + "\n"
        #expect(decode(sky + tpv(1, position), as: .gpsd).fixes.map(\.satellitesUsed) == [nil])
    }

    @Test
    func `other classes give nothing, not even GST with its lat and lon`() {
        let text =
            #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"# + "\n"
            + #"{"class":"GST","device":"/dev/ttyS0","time":"2026-03-01T10:00:01Z","lat":3,"lon":4,"alt":5,"mode":3}"#
            + "\n" + tpv(1, #""mode":1"#) + tpv(2, #""mode":0,"lat":1,"lon":2"#)
        #expect(decode(text, as: .gpsd).isEmpty)
    }

    @Test(
        arguments: [
            (#"{"class":"TPV","device":"/dev/ttyS0","mode":3,"lat":48.1"#, "malformed 1"),
            (#"{"mode":3}"#, "malformed 1"), ("hello", "malformed 1"),
            (#"{"class":"TPV","mode":3,"lat":1,"lon":2}"#, "incomplete 1: TPV"),
            (#"{"class":"TPV","mode":3,"time":"now"}"#, "malformed 1: TPV"),
        ])
    func `a line that is no report is counted with its number`(_ line: String, _ problem: String) {
        let chunk = decode(line + "\n" + tpv(1, position), as: .gpsd)
        expectMessages(chunk.problemTexts, begin: [problem], as: line)
        #expect(chunk.fixes.count == 1)
    }

    @Test(
        arguments: [
            "2026-03-01 10:00:00: ", "2026-03-01 10:00:00.123456: ", "2026-03-01T10:00:00.5Z: ",
            "Sun Mar  1 10:00:00 2026: ",
        ])
    func `the time that gpspipe -t puts before a line is passed over`(_ prefix: String) {
        let text = prefix + #"{"class":"VERSION","release":"3.22"}"# + "\n" + prefix + tpv(1, position) + prefix + "{\n"
        let chunk = decode(text, as: .gpsd)
        #expect(chunk.fixes.count == 1)
        #expect(chunk.problems.map(\.line) == [3])
    }

    @Test(
        arguments: [
            #"ed":1.5}"#, "[", #"{"class":"TPV","mode":3,"lat":52"#,
        ])
    func `the rest of a damaged report before another one is no time`(_ rest: String) {
        let chunk = decode(rest + tpv(1, position), as: .gpsd)
        #expect(chunk.fixes.isEmpty)
        #expect(chunk.problems.map(\.kind) == [.malformed])
    }

    @Test(
        arguments: ["nan", "-nan", "inf", "-inf", "NaN", "-NaN", "Infinity", "-Infinity", "INF"])
    func `a number that is none is unknown, and the report is read`(_ word: String) throws {
        let text = tpv(1, position + #","speed":\#(word),"track": \#(word),"x":["nan",\#(word)],"epv":12"#)
        let chunk = decode(text, as: .gpsd)
        let fix = try #require(chunk.fixes.first)
        #expect(chunk.problems.isEmpty)
        #expect(fix.speed == nil && fix.course == nil && fix.verticalAccuracy == 12)
        #expect(decode(tpv(1, #""mode":3,"lat":\#(word),"lon":1"#), as: .gpsd).isEmpty)
    }

    @Test(arguments: ["tpv", "fixes"])
    func `POLL gives the reports that are in it, whatever their number`(_ member: String) {
        func poll(_ second: Int) -> String {
            let report = tpv(second, position).dropLast()
            return
                #"{"class":"POLL","time":"2026-03-01T10:00:09Z","active":1,"\#(member)":[\#(report)],"gst":[{"lat":3}],"#
                + #""sky":[{"class":"SKY","device":"/dev/ttyS0","uSat":9,"hdop":1.5}]}"# + "\n"
        }
        let none = #"{"class":"POLL","time":"2026-03-01T10:00:09Z","active":0,"tpv":[],"sky":[]}"# + "\n"
        let chunk = decode(none + poll(1) + poll(1) + poll(2), as: .gpsd)
        #expect(chunk.problems.isEmpty)
        #expect(chunk.fixes.map(\.time) == [moment("2026-03-01T10:00:01Z"), moment("2026-03-01T10:00:02Z")])
        #expect(chunk.fixes.map(\.satellitesUsed) == [9, 9])
    }

    @Test
    func `the first device is followed until it is silent for ten seconds`() {
        let other = #"{"class":"TPV","device":"/dev/ttyS1","time":"2026-03-01T10:00:"#
        let text =
            tpv(1, position) + other + #"02Z","mode":2,"lat":1,"lon":1}"# + "\n" + tpv(3, position) + other
            + #"13Z","mode":2,"lat":2,"lon":1}"# + "\n" + other + #"14Z","mode":2,"lat":3,"lon":1}"# + "\n"
        let chunk = decode(text, as: .gpsd)
        #expect(chunk.fixes.map(\.coordinate.latitude) == [48.1173, 48.1173, 3])
        #expect(chunk.problems.map(\.line) == [2])
    }

    @Test
    func `a device that gpsd takes away is followed no longer`() {
        let gone = #"{"class":"DEVICE","path":"/dev/ttyS0","activated":0}"# + "\n"
        let text = tpv(1, position) + gone + tpv(2, #""mode":2,"lat":2,"lon":1"#, device: "/dev/ttyS1")
        let chunk = decode(text, as: .gpsd)
        #expect(chunk.fixes.map(\.coordinate.latitude) == [48.1173, 2])
        #expect(chunk.problems.isEmpty)
    }

    @Test
    func `a device that has lost its fix makes room for another one after ten seconds`() {
        let still = (1...9).map { tpv($0, #""mode":1"#) }.joined()
        let other = #"{"class":"TPV","device":"/dev/ttyS1","time":"2026-03-01T10:00:1"#
        let text =
            tpv(0, position) + still + other + #"0Z","mode":2,"lat":1,"lon":1}"# + "\n" + other
            + #"1Z","mode":2,"lat":2,"lon":1}"# + "\n"
        #expect(decode(text, as: .gpsd).fixes.map(\.coordinate.latitude) == [48.1173, 2])
    }

    @Test
    func `a position without a time makes no device the followed one`() {
        let timeless = #"{"class":"TPV","device":"/dev/ttyS1","mode":3,"lat":1,"lon":1}"# + "\n"
        let chunk = decode(timeless + tpv(1, position) + timeless + tpv(2, position), as: .gpsd)
        #expect(chunk.fixes.map(\.coordinate.latitude) == [48.1173, 48.1173])
        #expect(chunk.problems.map(\.line) == [1, 3])
    }

    @Test(arguments: ["4", "2.5", "-3", "99999999999999999999"])
    func `a mode that gpsd does not define is no solution`(_ mode: String) {
        #expect(decode(tpv(1, #""mode":\#(mode),"lat":1,"lon":2"#), as: .gpsd).isEmpty)
    }

    @Test
    func `a step back in time does not make an old sky fresh`() {
        let sky = #"{"class":"SKY","device":"/dev/ttyS0","time":"2026-03-01T10:20:00Z","uSat":9}"# + "\n"
        let later = #"{"class":"TPV","device":"/dev/ttyS0","time":"2026-03-01T10:20:00Z",\#(position)}"# + "\n"
        #expect(decode(sky + later + tpv(1, position), as: .gpsd).fixes.map(\.satellitesUsed) == [9, nil])
    }

    @Test(
        arguments: [
            "0.1", "-0.000000001", "48.117300000", "1e1", "4.81173E+01", "12345678901234567890e-18",
            "48.11730000000000000001",
        ])
    func `numbers of any form are exact`(_ text: String) {
        let chunk = decode(tpv(1, #""mode":2,"lon":1,"lat":\#(text)"#), as: .gpsd)
        #expect(chunk.fixes.map(\.coordinate.latitude) == [Double(text)])
    }
}
