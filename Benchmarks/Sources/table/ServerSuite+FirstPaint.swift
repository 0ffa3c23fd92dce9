import Foundation
import Measure
import TrackEngine
import WireSuites

extension ServerSuite {
    private static let loads = 9

    /// How soon the page shows something in a browser that has never seen it, and how much of it is ours.
    static func firstPaint() async throws -> [Row] { try await withTemporaryFolder(firstPaint) }

    private static func firstPaint(in folder: String) async throws -> [Row] {
        guard let chromium = try await Chromium() else {
            return [Row("Server", "first paint of the page: no chromium here", .nan)]
        }
        defer { chromium.stop() }
        return try await withServer(in: folder + "/page") { bench in
            _ = try await bench.history.add(Drive.day(endingAt: Int(Date().timeIntervalSince1970)), of: "van")
            let address = "http://127.0.0.1:\(bench.port)/?key=\(bench.key)"
            var loaded: [(paint: Double, bytes: Double, transferred: Double)] = []
            for _ in 0..<loads {
                let numbers = try await blocking { try Self.load(address, chromium) }
                loaded.append((numbers[0], numbers[1], numbers[2]))
            }
            let paints = loaded.map(\.paint)
            return [
                Row(
                    "Server",
                    "first paint of the page, the middle of \(loads) browsers that have never seen it (\((paints.min() ?? 0).short) to \((paints.max() ?? 0).short) ms)",
                    paints.median * 1e6, target: .nanoseconds(500e6)),
                Row(
                    "Server",
                    "the page's own files (compressed on the way: \((loaded[0].transferred / 1024).short) kB)",
                    loaded[0].bytes, target: .bytes(120_000)),
            ]
        }
    }

    /// Milliseconds to the first paint, and bytes of our own files: decoded, and as they came.
    private static func load(_ address: String, _ chromium: Chromium) throws -> [Double] {
        let value = try chromium.value(
            of: """
                [performance.getEntriesByName('first-contentful-paint')[0].startTime].concat(
                    ['decodedBodySize', 'transferSize'].map(size =>
                        performance.getEntriesByType('navigation').concat(performance.getEntriesByType('resource'))
                            .filter(entry => /:\\d+\\/(page\\/|$|\\?)/.test(entry.name))
                            .reduce((sum, entry) => sum + entry[size], 0)))
                """,
            when: "performance.getEntriesByName('first-contentful-paint').length && document.readyState == 'complete'",
            at: address)
        guard let numbers = value as? [Double], numbers.count == 3 else { throw Chromium.Failure(reply: "\(value)") }
        return numbers
    }
}
