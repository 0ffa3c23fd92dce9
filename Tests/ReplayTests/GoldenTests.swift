import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineFiles

/// Recorded input beside what it decodes to: `NAME.log`, whose first part names the format, and `NAME.log.chk`.
///
/// All of it was written for this project.
enum Golden {
    static let directory = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/Golden"

    static func path(_ name: String) -> String { directory + "/" + name }

    static func allNames() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory).filter { $0.hasSuffix(".log") }.sorted()
    }

    static func names(of format: ReplayFormat) throws -> [String] {
        try allNames().filter { $0.hasPrefix(format.name + "-") }
    }

    static func format(of name: String) -> ReplayFormat? {
        name.split(separator: "-").first.flatMap { ReplayFormat(name: String($0)) }
    }

    /// One line for each fix, then one for each problem.
    static func text(of chunk: TrackChunk) -> String {
        (chunk.fixes.map(line) + chunk.problemTexts).map { $0 + "\n" }.joined()
    }

    private static func line(_ fix: Fix) -> String {
        var words = ["fix", fix.time.description]
        words.append("lat=\(fix.coordinate.latitude) lon=\(fix.coordinate.longitude)")
        let numbers: [(String, Double?)] = [
            ("alt", fix.altitude), ("hae", fix.ellipsoidalAltitude), ("acc", fix.horizontalAccuracy),
            ("vacc", fix.verticalAccuracy), ("speed", fix.speed), ("sacc", fix.speedAccuracy), ("course", fix.course),
            ("cacc", fix.courseAccuracy), ("hdop", fix.horizontalDilution.flatMap { Double("\($0)") }),
            ("pdop", fix.positionDilution.flatMap { Double("\($0)") }), ("used", fix.satellitesUsed.map { Double($0) }),
            ("visible", fix.satellitesVisible.map { Double($0) }),
        ]
        for (name, value) in numbers { if let value { words.append("\(name)=\(value)") } }
        if let mode = fix.mode { words.append("mode=\(mode)") }
        if let status = fix.status { words.append("status=\(status)") }
        if let activity = fix.activity { words.append("activity=\(activity.name)") }
        if fix.flags.contains(.simulated) { words.append("simulated") }
        return words.joined(separator: " ")
    }
}

@Suite("Golden pairs")
struct GoldenTests {
    @Test
    func `every format has one`() throws {
        let formats = try Golden.allNames().compactMap(Golden.format)
        #expect(Set(formats) == Set(ReplayFormat.allCases))
    }

    @Test(arguments: try Golden.allNames())
    func `every log decodes to what was recorded`(_ name: String) throws {
        let format = try #require(Golden.format(of: name))
        let text = Golden.text(of: decode(try read(Golden.path(name)), as: format))
        try expectRecorded(text, in: Golden.path(name + ".chk"))
    }

    @Test(arguments: try Golden.allNames())
    func `wherever the file is cut in two, it gives the same`(_ name: String) async throws {
        let format = try #require(Golden.format(of: name))
        let bytes = try read(Golden.path(name))
        let whole = decode(bytes, as: format)
        for cut in stride(from: 0, through: bytes.count, by: TestEnvironment.isOptimised ? 1 : 7) {
            if cut % 64 == 0 { await Task.yield() }  // other tests share these threads
            let parts = decode(bytes, as: format, cutAt: cut)
            #expect(parts.fixes == whole.fixes && parts.problems == whole.problems, "cut at \(cut)")
        }
        for length in [1, 2, 3, 17] {
            let parts = decode(bytes, as: format, pieces: length)
            #expect(parts.fixes == whole.fixes && parts.problems == whole.problems, "pieces of \(length)")
        }
    }

    @Test(arguments: try Golden.allNames())
    func `every log is recognised without being told`(_ name: String) throws {
        let file = try ReplayFile(path: Golden.path(name))
        _ = try file.next()
        #expect(file.format == Golden.format(of: name))
    }
}
