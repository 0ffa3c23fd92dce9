import TestSupport
import Testing
import TrackEngine
import TrackEngineFiles

/// Tracks in zip archives: GPX that somebody packed, and KMZ.
@Suite struct ArchiveTests {
    /// How an archive's writer puts a file into it.
    private struct Entry {
        var name: String
        var content: [UInt8]
        var isDeflated = true
        /// Whether checksum and sizes follow the data, with a mark before them or without.
        var descriptor: [UInt8]?
        var flags: UInt8 = 0
        var method: UInt8?
        var hasWrongChecksum = false
    }

    private static func little(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    /// An archive; deflated data is that of gzip between its header of ten bytes and its trailer, which has the checksum.
    private static func zip(_ entries: [Entry], in directory: String) async throws -> [UInt8] {
        var archive: [UInt8] = []
        for (index, entry) in entries.enumerated() {
            let path = "\(directory)/entry\(archive.count)-\(index)"
            try write(entry.content, to: path)
            let packed = try await gzip(path)
            var sum = Array(packed.suffix(8).prefix(4))
            if entry.hasWrongChecksum { sum[0] ^= 1 }
            let data = entry.isDeflated ? Array(packed.dropFirst(10).dropLast(8)) : entry.content
            let sizes = little(data.count, 4) + little(entry.content.count, 4)
            let method = entry.method ?? (entry.isDeflated ? 8 : 0)
            archive += [0x50, 0x4b, 3, 4, 20, 0, entry.flags | (entry.descriptor == nil ? 0 : 8), 0, method, 0]
            archive += [0, 0, 0, 0] + (entry.descriptor == nil ? sum + sizes : Array(repeating: 0, count: 12))
            archive += little(entry.name.utf8.count, 2) + [3, 0] + Array(entry.name.utf8) + [7, 7, 7] + data
            if let mark = entry.descriptor { archive += mark + sum + sizes }
        }
        return archive + [0x50, 0x4b, 1, 2] + Array(repeating: 0, count: 60)
    }

    private static func gpx(_ count: Int) -> [UInt8] {
        let points = (1...count).map { number in
            let time = Timestamp(secondsSince1970: 1_772_359_200 + Int64(number)).rfc3339(.seconds)
            return "<trkpt lat=\"\(Double(number) / 1000)\" lon=\"2\"><time>\(time)</time></trkpt>\n"
        }
        return Array("<gpx><trk><trkseg>\n\(points.joined())</trkseg></trk></gpx>\n".utf8)
    }

    private static let kml = Array(
        ("<kml><gx:Track><when>2026-03-01T10:00:00Z</when><gx:coord>2 1 0</gx:coord></gx:Track></kml>").utf8)

    private static func read(_ entries: [Entry], named name: String = "/archive") async throws -> ReplayChunk {
        try await TestEnvironment.withTemporaryDirectory { directory in
            try write(try await zip(entries, in: directory), to: directory + name)
            return try replay(directory + name)
        }
    }

    @Test(arguments: [true, false])
    func `a packed GPX file is read, stored or deflated`(_ isDeflated: Bool) async throws {
        let chunk = try await Self.read([Entry(name: "track.gpx", content: Self.gpx(5000), isDeflated: isDeflated)])
        #expect(chunk.fixes.count == 5000)
        #expect(chunk.problemTexts == [])
    }

    @Test(arguments: [[0x50, 0x4b, 7, 8], []] as [[UInt8]])
    func `checksum and sizes may stand behind the data`(_ mark: [UInt8]) async throws {
        let chunk = try await Self.read([
            Entry(name: "a.png", content: Self.gpx(700), descriptor: mark),
            Entry(name: "track.gpx", content: Self.gpx(5000), descriptor: mark),
        ])
        #expect(chunk.fixes.count == 5000)
        #expect(chunk.problemTexts == [])
    }

    @Test func `of a KMZ the document is read, beside its pictures`() async throws {
        let chunk = try await Self.read(
            [
                Entry(name: "files/start.png", content: Array(repeating: 0xff, count: 90_000), isDeflated: false),
                Entry(name: "files/", content: [], isDeflated: false), Entry(name: "doc.kml", content: Self.kml),
                Entry(name: "files/end.png", content: Self.gpx(3)),
            ], named: "/track.kmz")
        #expect(chunk.fixes.count == 1)
        #expect(chunk.problemTexts == [])
    }

    @Test func `doc.kml is the document of a KMZ, wherever it stands`() async throws {
        let other = Array(String(decoding: Self.kml, as: UTF8.self).replacing(">2 1 0<", with: ">4 3 0<").utf8)
        let entries = [Entry(name: "files/old.kml", content: other), Entry(name: "doc.kml", content: Self.kml)]
        let chunk = try await Self.read(entries, named: "/track.kmz")
        #expect(chunk.fixes.map(\.coordinate) == [Coordinate(latitude: 1, longitude: 2)])
        expectMessages(chunk.problemTexts, begin: ["incomplete -: zip"])
    }

    @Test(arguments: ["README.txt", "notes.log", "about.json", "words.csv", "empty.gpx"])
    func `a text before the track is not taken for it`(_ name: String) async throws {
        let texts = ["about.json": "{\"app\":\"Logger\"}", "empty.gpx": "<gpx></gpx>"]
        let text = Array((texts[name] ?? "Recorded on a walk.\nHave fun, all of you.\n").utf8)
        let chunk = try await Self.read([Entry(name: name, content: text), Entry(name: "b.gpx", content: Self.gpx(3))])
        #expect(chunk.fixes.count == 3)
        let others = name.hasSuffix(".txt") || name.hasSuffix(".log") ? [] : [name]
        expectMessages(
            chunk.problemTexts, begin: others.map { _ in "incomplete -: zip" }, as: "\(name) before the track")
    }

    @Test func `logs that are not read are named, as other tracks are`() async throws {
        let logs = (1...2).map { Entry(name: "\($0).log", content: Self.gpx($0)) }
        let texts = [Entry(name: "readme.txt", content: Array("Recorded on a walk.\n".utf8))]
        expectMessages(try await Self.read(texts + logs).problemTexts, begin: ["incomplete -: zip"])
    }

    @Test func `at most five of the others are named`() async throws {
        let tracks = (1...9).map { Entry(name: "\($0).gpx", content: Self.gpx($0)) }
        expectMessages(try await Self.read(tracks).problemTexts, begin: ["incomplete -: zip"])
    }

    @Test func `the format is told by the name in the archive where the content leaves it open`() async throws {
        #expect(try await Self.read([Entry(name: "a.csv", content: Array("words\n".utf8))]).problems.count == 1)
    }

    @Test func `of several tracks the first one is read, and the others are reported`() async throws {
        let tracks = (1...3).map { Entry(name: "\($0).gpx", content: Self.gpx($0)) }
        let chunk = try await Self.read(tracks + [Entry(name: "__MACOSX/1.gpx", content: [1, 2, 3])])
        #expect(chunk.fixes.count == 1)
        expectMessages(chunk.problemTexts, begin: ["incomplete -: zip"])
    }

    @Test(arguments: [
        (Entry(name: "a.png", content: [1]), "no track in the archive"),
        (Entry(name: "a.gpx", content: gpx(3), flags: 1), "a password"),
        (Entry(name: "a.gpx", content: gpx(3), method: 12), "another compression"),
        (Entry(name: "a.gpx", content: gpx(3), isDeflated: false, descriptor: []), "a stored file without its size"),
    ])
    private func `what cannot be unpacked is reported`(_ entry: Entry, _ name: String) async throws {
        let chunk = try await Self.read([entry])
        #expect(chunk.fixes.isEmpty)
        expectMessages(chunk.problemTexts, begin: ["malformed -: zip"], as: name)
    }

    @Test(arguments: [
        Entry(name: "a.gpx", content: gpx(9), flags: 1), Entry(name: "a.gpx", content: gpx(9), method: 99),
        Entry(name: "a.gpx", content: gpx(9), isDeflated: false, descriptor: []),
        Entry(name: "a.gpx", content: gpx(9), descriptor: [0x50, 0x4b, 7, 8], method: 14),
        Entry(name: "a.gpx", content: gpx(9), descriptor: [], flags: 1),
    ])
    private func `a track behind one that cannot be unpacked is read, and the other is named`(_ entry: Entry)
        async throws
    {
        let chunk = try await Self.read([
            Entry(name: "a.png", content: [1, 2], method: 12), entry, Entry(name: "b.gpx", content: Self.gpx(3)),
        ])
        #expect(chunk.fixes.count == 3)
        #expect(chunk.problems.count == 1)
        #expect(chunk.problemTexts.first?.hasPrefix("malformed -: zip: a.gpx: expected ") == true)
    }

    private static let fit: [UInt8] = [0x0e, 0x10, 0xd9, 7, 9, 0, 0, 0] + Array(".FIT".utf8) + [0, 0]
    private static let igc = Array("AXXX001 logger\r\nHFDTE010326\r\nB1000005231200N01324300EA0004000040\r\n".utf8)

    @Test(arguments: [[0, 1, 2], [1, 0, 2], [2, 0, 1]])
    func `recordings of foreign formats beside a track are named, wherever they stand`(_ order: [Int]) async throws {
        let entries = [
            Entry(name: "a.fit", content: Self.fit), Entry(name: "b.gpx", content: Self.gpx(3)),
            Entry(name: "c.igc", content: Self.igc),
        ]
        let chunk = try await Self.read(order.map { entries[$0] } + [Entry(name: "__MACOSX/a.fit", content: [1])])
        #expect(chunk.fixes.count == 3)
        let wanted = ["malformed -: zip: a.fit: a FIT recording", "malformed -: zip: c.igc: an IGC recording"]
        #expect(chunk.problemTexts.count == wanted.count)
        for begin in wanted { #expect(chunk.problemTexts.contains { $0.hasPrefix(begin) }) }
    }

    @Test(arguments: [("a.fit", fit), ("a.igc", igc)] as [(String, [UInt8])])
    func `an archive with nothing but a foreign recording is refused as the recording itself is`(
        _ name: String, _ content: [UInt8]
    ) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let path = directory + "/archive"
            try write(content, to: path)
            let alone = #expect(throws: ReplayError.self) { try ReplayFile(path: path).next() }
            let readme = Entry(name: "readme.txt", content: Array("Recorded on a walk.\n".utf8))
            for entries in [[Entry(name: name, content: content)], [readme, Entry(name: name, content: content)]] {
                let packed = await #expect(throws: ReplayError.self) { try await Self.read(entries) }
                #expect(packed?.code == .unknownFormat)
                #expect(packed?.reason == alone?.reason)
            }
        }
    }

    @Test func `of two files with the same name the one with a track is read`() async throws {
        let empty = Array("<gpx></gpx>".utf8)
        let chunk = try await Self.read([
            Entry(name: "a.gpx", content: empty), Entry(name: "a.gpx", content: Self.gpx(3)),
        ])
        #expect(chunk.fixes.count == 3)
        expectMessages(chunk.problemTexts, begin: ["incomplete -"])
    }

    @Test(arguments: ["files/track.kml", "2026.gpx"])
    func `the track is read where the document of a KMZ only links to it`(_ name: String) async throws {
        let link = "<kml><Document><NetworkLink><Link><href>\(name)</href></Link></NetworkLink></Document></kml>"
        let chunk = try await Self.read(
            [
                Entry(name: "doc.kml", content: Array(link.utf8)),
                Entry(name: name, content: name.hasSuffix("kml") ? Self.kml : Self.gpx(1)),
            ], named: "/track.kmz")
        #expect(chunk.fixes.count == 1)
        expectMessages(chunk.problemTexts, begin: ["incomplete -"], as: "\(name) beside its link")
    }

    @Test func `a document of a KMZ with its track far behind its beginning is read`() async throws {
        let style = String(repeating: "<Style id=\"s\"></Style>", count: 6000)
        let long = Array(String(decoding: Self.kml, as: UTF8.self).replacing("<kml>", with: "<kml>" + style).utf8)
        let chunk = try await Self.read(
            [Entry(name: "a.kml", content: Self.kml), Entry(name: "doc.kml", content: long)], named: "/track.kmz")
        #expect(chunk.problemTexts.first?.contains("doc.kml is read, and not a.kml") == true)
    }

    @Test func `a file with another checksum is read and reported`() async throws {
        let chunk = try await Self.read([Entry(name: "a.gpx", content: Self.gpx(3), hasWrongChecksum: true)])
        #expect(chunk.fixes.count == 3)
        expectMessages(chunk.problemTexts, begin: ["malformed -: zip"])
    }

    @Test func `wherever an archive is cut, what was read is kept, and the cut is reported`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let bytes = try await Self.zip([Entry(name: "a.gpx", content: Self.gpx(40))], in: directory)
            for count in 4..<(bytes.count - 64) {
                try write(Array(bytes[..<count]), to: directory + "/cut")
                let chunk = try replay(directory + "/cut")
                #expect(!chunk.problems.isEmpty, "cut at \(count)")
            }
            try write(Array(bytes.dropLast(64)), to: directory + "/cut")
            #expect(try replay(directory + "/cut").problemTexts == [])  // only the directory is missing
        }
    }

    @Test func `no bytes crash the reader of archives`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let entries = [
                Entry(name: "x", content: Self.gpx(2), descriptor: []), Entry(name: "a.gpx", content: Self.gpx(4)),
                Entry(name: "b.gpx", content: Self.gpx(2), isDeflated: false),
            ]
            let whole = try await Self.zip(entries, in: directory)
            var random = SeededGenerator(seed: 46)
            for _ in 0..<2000 {
                var bytes = whole
                for _ in 0..<Int.random(in: 1...6, using: &random) { Mutation.apply(to: &bytes, using: &random) }
                try write(bytes, to: directory + "/damaged.gpx")
                _ = try? replay(directory + "/damaged.gpx")  // what is no archive any more may be of no known format
            }
        }
    }
}
