import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory

@Suite("Points page by page", .timeLimit(.minutes(15)))
struct PointPageTests {
    private static let whole = Samples.seconds(-1_000_000..<100_000_000)

    /// All pages, each with its points.
    private static func pages(_ history: TrackHistory, limit: Int) async throws -> [[HistoryPoint]] {
        var pages: [[HistoryPoint]] = []
        var position: HistoryPointPosition?
        repeat {
            let page = try await history.points(of: Samples.device, during: whole, after: position, limit: limit)
            pages.append(page.points)
            position = page.next
        } while position != nil && pages.count < 100_000
        return pages
    }

    @Test(arguments: [1, 7, 100, 401, 402, 100_000])
    func `Each point is on one page, also where many have one time`(_ limit: Int) async throws {
        try await Samples.withHistory { history in
            let simultaneous = (0..<401).map { Samples.point(5, north: Double($0 * 37 % 401)) }
            let others = [0.0, 1, 4.999, 5.001, 6].map { Samples.point($0) }
            _ = try await history.add(simultaneous + others, of: Samples.device)
            let all = try await history.points(of: Samples.device, during: Self.whole, limit: .max)
            let pages = try await Self.pages(history, limit: limit)
            #expect(all.count == 406)
            #expect(pages.allSatisfy { $0.count <= limit })
            #expect(pages.count <= 406 / limit + 1)
            let paged = pages.flatMap(\.self)
            #expect(paged.map(\.fix.time) == all.map(\.fix.time))
            #expect(Set(paged) == Set(all) && paged.count == all.count)
        }
    }

    @Test func `A page goes on behind a point that was removed meanwhile`() async throws {
        try await Samples.withHistory { history in
            _ = try await history.add((0..<10).map { Samples.point(Double($0)) }, of: Samples.device)
            let first = try await history.points(of: Samples.device, during: Self.whole, after: nil, limit: 4)
            _ = try await history.remove(Samples.device, during: Samples.seconds(2..<5))
            let rest = try await history.points(of: Samples.device, during: Self.whole, after: first.next, limit: 9)
            #expect(rest.points.map(\.fix.time) == (5..<10).map { Samples.point(Double($0)).fix.time })
            #expect(rest.next == nil)
        }
    }

    @Test func `A device that is not known has no pages`() async throws {
        try await Samples.withHistory { history in
            let page = try await history.points(of: "nobody", during: Self.whole, after: nil, limit: 5)
            #expect(page.points.isEmpty && page.next == nil)
        }
    }
}
