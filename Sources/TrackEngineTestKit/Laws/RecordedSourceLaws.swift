public import TrackEngine

/// What every ``/TrackEngine/RecordedSource`` must do beside the laws of sources, as checks that a plugin's tests run
/// against the real thing.
///
/// ```swift
/// let laws = RecordedSourceLaws { try ReplaySource(configuration: .init(path: path)) }
/// let report = try await laws.report()
/// #expect(report.violations == [], "\(report)")
/// ```
///
/// A recording that keeps them goes into a store once, wherever a run was stopped. ``SourceLaws`` examines what it has in
/// common with other sources.
public struct RecordedSourceLaws: Laws {
    /// Makes a source on the same recording each time.
    public typealias Factory = @Sendable () async throws -> any RecordedSource

    private let patience: Duration
    private let promptness: Duration
    private let make: Factory

    /// Laws for the recorded sources that `make` makes.
    ///
    /// - Parameters:
    ///   - patience: how long to wait for the end of a run.
    ///   - promptness: how long a run may take to end once it is cancelled. The default is generous: it shall catch a
    ///     source that does not end, not a machine that is busy.
    ///   - make: makes a source on the same recording each time: one that ends, and has at least three fixes, each of
    ///     another time or at another place.
    public init(
        patience: Duration = .seconds(30), promptness: Duration = .seconds(10), make: @escaping Factory
    ) {
        self.patience = patience
        self.promptness = promptness
        self.make = make
    }

    /// What an examination sees.
    ///
    /// - Throws: what making a source throws; a source's own errors are judged, not thrown.
    public func report() async throws -> LawReport {
        let (fixes, outcome) = await run(try await make(), after: nil)
        guard case .returned = outcome, fixes.count >= 3, Set(fixes.map(TimeAndPlace.init)).count == fixes.count else {
            let violation = LawViolation(.ends, "\(fixes.count) fixes, then \(Self.words(outcome))")
            return LawReport([violation], of: Law.self) { _ in "no end" }
        }
        var found = try await holds(fixes)
        found += try await goesOn(fixes)
        found += try await takesNothingAway(fixes)
        found += try await endsPromptly(fixes)
        return LawReport(found, of: Law.self) { _ in nil }
    }

    /// Every law, as a sentence.
    fileprivate enum Law: String, CaseIterable {
        case ends = "a recording has an end, and three fixes of different times or places"
        case holdsItsFixes = "a recording holds each fix that it delivers"
        case knowsByTimeAndPlace = "a recording knows a fix by its time and place alone"
        case holdsNoOther = "a recording holds no fix of another time or place"
        case goesOn = "a run after a fix delivers what follows it"
        case endsAfterLast = "a run after the last fix delivers nothing and ends"
        case takesNothingAway = "a run takes nothing from the recording"
        case endsPromptly = "a cancelled run after a fix ends promptly"
    }
}

// MARK: - The laws

extension RecordedSourceLaws {
    /// What the recording delivers it holds, whatever else a store has of it, and nothing else.
    private func holds(_ fixes: [Fix]) async throws -> [LawViolation] {
        let source = try await make()
        var found: [LawViolation] = []
        for place in Self.places(in: fixes) {
            let fix = fixes[place]
            found += await ask(source, fix, expecting: true, .holdsItsFixes, "fix \(place + 1)")
            let bare = Fix(time: fix.time, coordinate: fix.coordinate)
            found += await ask(source, bare, expecting: true, .knowsByTimeAndPlace, "fix \(place + 1) without the rest")
            for (other, change) in Self.others(than: fix) where !fixes.contains(where: { other == TimeAndPlace($0) }) {
                found += await ask(
                    source, Fix(time: other.time, coordinate: other.coordinate), expecting: false, .holdsNoOther,
                    "fix \(place + 1) \(change)")
            }
        }
        return found
    }

    /// After each of some fixes, the rest.
    private func goesOn(_ fixes: [Fix]) async throws -> [LawViolation] {
        var found: [LawViolation] = []
        for place in Self.places(in: fixes) {
            let (rest, outcome) = await run(try await make(), after: fixes[place])
            let law = place == fixes.count - 1 ? Law.endsAfterLast : .goesOn
            if rest != Array(fixes[(place + 1)...]) {
                found.append(LawViolation(law, "after fix \(place + 1) came \(rest.count) fixes, or others"))
            } else if outcome != .returned {
                found.append(LawViolation(law, "after fix \(place + 1): \(Self.words(outcome))"))
            }
        }
        return found
    }

    /// The same source runs after a fix, from the start, and after the fix again.
    private func takesNothingAway(_ fixes: [Fix]) async throws -> [LawViolation] {
        let source = try await make()
        var counts: [Int] = []
        for fix in [fixes[1], nil, fixes[1]] { counts.append(await run(source, after: fix).fixes.count) }
        let expected = [fixes.count - 2, fixes.count, fixes.count - 2]
        return counts == expected ? [] : [LawViolation(.takesNothingAway, "runs of \(counts) fixes, not \(expected)")]
    }

    /// Cancellation ends a run whose output takes nothing.
    private func endsPromptly(_ fixes: [Fix]) async throws -> [LawViolation] {
        let (source, probe) = (try await make(), SourceProbe(.hold))
        let run = SourceRun(probe) { try await source.run($0, after: fixes[0]) }
        _ = await comesAbout(within: patience) { probe.seen.calls > 0 || run.outcome != nil }
        run.cancel()
        guard await !run.ends(within: promptness) else { return [] }
        return [LawViolation(.endsPromptly, "it still ran after \(promptness)")]
    }
}

// MARK: - What they are made of

extension RecordedSourceLaws {
    private func ask(
        _ source: any RecordedSource, _ fix: Fix, expecting expected: Bool, _ law: Law, _ what: String
    ) async -> [LawViolation] {
        do {
            return try await source.holds(fix) == expected ? [] : [LawViolation(law, "\(what): \(!expected)")]
        } catch {
            return [LawViolation(law, "\(what): \(error)")]
        }
    }

    private func run(_ source: any RecordedSource, after fix: Fix?) async -> (fixes: [Fix], SourceRun.Outcome?) {
        let probe = SourceProbe()
        let run = SourceRun(probe) { output in
            if let fix { try await source.run(output, after: fix) } else { try await source.run(output) }
        }
        if await !run.ends(within: patience) { run.cancel() }
        return (probe.seen.fixes, run.outcome)
    }

    /// The first and the last two fixes, and some between.
    private static func places(in fixes: [Fix]) -> [Int] {
        let step = max(1, fixes.count / 4)
        return Set(Array(stride(from: 0, to: fixes.count, by: step)) + [fixes.count - 2, fixes.count - 1]).sorted()
    }

    /// Fixes that are not this one, each with what is changed.
    private static func others(than fix: Fix) -> [(TimeAndPlace, String)] {
        let (time, place) = (fix.time, fix.coordinate)
        let nearer = place.latitude - (place.latitude < 0 ? -0.001 : 0.001)
        return [
            (TimeAndPlace(time: time.advanced(by: .milliseconds(1)), coordinate: place), "a millisecond later"),
            (TimeAndPlace(time: time.advanced(by: .seconds(-3600)), coordinate: place), "an hour before"),
            (
                TimeAndPlace(
                    time: time, coordinate: Coordinate(latitude: nearer, longitude: place.longitude)), "100 m away"
            ),
        ]
    }

    private static func words(_ outcome: SourceRun.Outcome?) -> String {
        switch outcome {
        case .returned: "the end"
        case .threw(let error): error
        case nil: "no end"
        }
    }
}

/// By what a recording knows a fix.
private struct TimeAndPlace: Hashable {
    let time: Timestamp
    let coordinate: Coordinate

    init(time: Timestamp, coordinate: Coordinate) {
        (self.time, self.coordinate) = (time, coordinate)
    }

    init(_ fix: Fix) {
        self.init(time: fix.time, coordinate: fix.coordinate)
    }
}

extension LawViolation {
    fileprivate init(_ law: RecordedSourceLaws.Law, _ seen: String) { self.init(law.rawValue, seen) }
}
