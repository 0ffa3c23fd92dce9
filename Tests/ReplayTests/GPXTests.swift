import TestSupport
import Testing
import TrackEngine
import TrackEngineFiles

@Suite("GPX")
struct GPXTests {
    private func gpx(_ body: String) -> String {
        #"<?xml version="1.0" encoding="UTF-8"?>"#
            + "\n<gpx version=\"1.1\"><trk><trkseg>\n\(body)\n</trkseg></trk></gpx>"
    }

    private let point = #"<trkpt lat="48.5" lon="-11.25"><time>2026-03-01T10:00:00Z</time></trkpt>"#

    @Test
    func `every element of a GPX 1.0 point has its place`() throws {
        let text = gpx(
            #"<trkpt lat='48.5' lon='-11.25'><ele>12.5</ele><time>2026-03-01T12:00:00.5+02:00</time><course>90</course>"#
                + "<speed>3.5</speed><fix>3d</fix><sat>7</sat><hdop>1.5</hdop><pdop>2</pdop></trkpt>")
        let chunk = decode(text, as: .gpx)
        #expect(chunk.problems.isEmpty)
        #expect(
            chunk.fixes == [
                Fix(
                    time: try #require(moment("2026-03-01T10:00:00.5Z")),
                    coordinate: Coordinate(latitude: 48.5, longitude: -11.25), altitude: 12.5, speed: 3.5, course: 90,
                    horizontalDilution: 1.5, positionDilution: 2, satellitesUsed: 7, mode: .threeDimensional)
            ])
    }

    @Test
    func `Garmin's bearing is the course where no course is given, in extensions alone`() {
        func course(_ elements: String, _ outside: String = "") -> Double? {
            let extensions = "<extensions><t:TrackPointExtension>\(elements)</t:TrackPointExtension></extensions>"
            let time = "<time>2026-03-01T10:00:00Z</time>"
            let text = gpx("<trkpt lat='1' lon='2'>\(time)\(outside)\(extensions)</trkpt>")
            return decode(text, as: .gpx).fixes.first?.course
        }
        #expect(course("<t:bearing>45.5</t:bearing>") == 45.5)
        #expect(course("<t:bearing>45</t:bearing><t:course>90</t:course>") == 90)
        #expect(course("<t:course>90</t:course><t:bearing>45</t:bearing>") == 90)
        #expect(course("", "<bearing>45</bearing>") == nil)
    }

    @Test
    func `extensions give speed, course and accuracies and nothing else, under any prefix`() {
        let text = gpx(
            #"<g:trkpt lat="1" lon="2"><g:time>2026-03-01T10:00:00Z</g:time><g:ele>5</g:ele><extensions><tp:TrackPointExtension>"#
                + "<tp:speed>2.5</tp:speed><tp:course>181</tp:course><tp:ele>99</tp:ele><tp:time>x</tp:time>"
                + "</tp:TrackPointExtension><te:accuracy>4.5</te:accuracy><te:verticalAccuracy>7</te:verticalAccuracy>"
                + "</extensions><foo><ele>77</ele></foo><accuracy>99</accuracy></g:trkpt>")
        let chunk = decode(text, as: .gpx)
        #expect(chunk.problems.isEmpty)
        #expect(chunk.fixes.map(\.speed) == [2.5])
        #expect(chunk.fixes.map(\.course) == [181])
        #expect(chunk.fixes.map(\.altitude) == [5])
        #expect(chunk.fixes.map(\.horizontalAccuracy) == [4.5])
        #expect(chunk.fixes.map(\.verticalAccuracy) == [7])
    }

    @Test func `OpenTracks names the accuracies with their direction at the end`() {
        let extensions =
            "<extensions><o:accuracy_horizontal>3</o:accuracy_horizontal>"
            + "<o:accuracy_vertical>7</o:accuracy_vertical></extensions>"
        let text = gpx("<trkpt lat='1' lon='2'><time>2026-03-01T10:00:00Z</time>\(extensions)</trkpt>")
        #expect(decode(text, as: .gpx).fixes.map(\.horizontalAccuracy) == [3])
        #expect(decode(text, as: .gpx).fixes.map(\.verticalAccuracy) == [7])
    }

    @Test
    func `all segments and tracks come in order; way points, routes and empty segments give nothing`() {
        let time = "<time>2026-03-01T10:00:00Z</time>"
        let text =
            #"<gpx><wpt lat="9" lon="9">\#(time)</wpt><rte><rtept lat="9" lon="9">\#(time)</rtept></rte><trk><trkseg/>"#
            + #"<trkseg><trkpt lat="1" lon="0">\#(time)</trkpt></trkseg><trkseg></trkseg></trk><trk><trkseg>"#
            + #"<trkpt lat="2" lon="0">\#(time)</trkpt><trkpt lat="3" lon="0">\#(time)</trkpt></trkseg></trk></gpx>"#
        let chunk = decode(text, as: .gpx)
        #expect(chunk.problems.isEmpty)
        #expect(chunk.fixes.map(\.coordinate.latitude) == [1, 2, 3])
    }

    @Test
    func `comments, CDATA, entities, a DOCTYPE and instructions are understood`() {
        let text =
            #"<?xml version="1.0"?><!DOCTYPE gpx [<!ENTITY a "b>">]><!-- <trkpt> -- - --><gpx><trk><name>a &amp; b &#xE9;</name>"#
            + #"<trkseg><?x y?><trkpt lat="&#49;.5" lon="2"><time><![CDATA[2026-03-01T]]>10:00:00&#90;</time>"#
            + "<desc><![CDATA[</trkpt>]]]]></desc></trkpt></trkseg></trk></gpx>"
        let chunk = decode(text, as: .gpx)
        #expect(chunk.problemTexts == [])
        #expect(chunk.fixes.map(\.coordinate.latitude) == [1.5])
        #expect(chunk.fixes.map(\.time) == [moment("2026-03-01T10:00:00Z")])
    }

    @Test(
        arguments: [
            (#"<trkpt lat="1" lon="2"/>"#, "incomplete 3: trkpt"),
            (#"<trkpt lat="1" lon="2"><time>yesterday</time></trkpt>"#, "malformed 3: trkpt"),
            (#"<trkpt lat="1"><time>2026-03-01T10:00:00Z</time></trkpt>"#, "malformed 3: trkpt"),
            (#"<trkpt lat="one" lon="2"/>"#, "malformed 3: trkpt"),
            (#"<trkpt lat="1" lon=2><time>2026-03-01T10:00:00Z</time></trkpt>"#, "malformed 3"),
            ("<trkpt lat='&oops;' lon='1'></trkpt>", "malformed 3"),
            (#"<trkpt lat="1" lon="2">"#, "malformed 3: trkpt"), ("<>", "malformed 3"),
        ])
    func `a point without time is incomplete, one without a position malformed`(_ broken: String, _ problem: String) {
        let chunk = decode(gpx(broken + point), as: .gpx)
        expectMessages(chunk.problemTexts, begin: [problem], as: broken)
        #expect(chunk.fixes.count == 1)
    }

    @Test
    func `of a cut file all whole points are delivered, and one problem`() {
        let text = Array(gpx(point + point).utf8)
        let end = text.count - "</gpx>".utf8.count
        for length in stride(from: 60, through: end, by: 1) {
            let chunk = decode(Array(text[..<length]), as: .gpx)
            #expect(chunk.problemTexts.count == 1, "cut at \(length)")
            expectMessage(chunk.problems.first?.message)
        }
        #expect(decode(Array(text[..<end]), as: .gpx).fixes.count == 2)
    }

    @Test
    func `an encoding in which the letters of ASCII are other bytes is refused`() {
        let text = #"<?xml version="1.0" encoding="ISO-2022-JP"?><gpx><trk><trkseg>\#(point)</trkseg></trk></gpx>"#
        let chunk = decode(text, as: .gpx)
        expectMessages(chunk.problemTexts, begin: ["malformed 1: encoding ISO-2022-JP"])
        #expect(chunk.fixes.isEmpty)
    }

    @Test
    func `a file of way points alone says what is missing`() {
        let chunk = decode(#"<gpx><wpt lat="1" lon="2"/></gpx>"#, as: .gpx)
        #expect(chunk.problems.map(\.kind) == [.incomplete])
        expectMessages(decode("<kml></kml>", as: .gpx).problemTexts, begin: ["malformed 1"])
    }
}
