public import TrackEngine

/// What every ``/TrackEngine/FixSource`` must do, as checks that a plugin's tests run against the real thing.
///
/// ```swift
/// let report = try await SourceLaws(fixes: 5) { try ReplaySource(configuration: .init(path: path)) }.report()
/// #expect(report.violations == [], "\(report)")
/// ```
public struct SourceLaws: Laws {
    /// Makes a source on fresh input.
    public typealias Factory = @Sendable () async throws -> any FixSource

    private let fixes: Int
    private let isInTimeOrder: Bool
    private let patience: Duration
    private let promptness: Duration
    private let make: Factory
    private let makeWithBadInput: Factory?

    /// Laws for the sources that `make` makes.
    ///
    /// - Parameters:
    ///   - fixes: how many fixes each of these sources delivers at least; a live one goes on after them.
    ///   - isInTimeOrder: whether the input's times never go back, so that the fixes' times must not either.
    ///   - patience: how long to wait for the fixes.
    ///   - promptness: how long a source may take to end once it is cancelled. The default is generous: it shall catch a
    ///     source that does not end, not a machine that is busy.
    ///   - badInput: makes a source on input with malformed parts and at least as many good fixes.
    ///   - make: makes a source on good input, the same each time.
    public init(
        fixes: Int, isInTimeOrder: Bool = true, patience: Duration = .seconds(30),
        promptness: Duration = .seconds(10), badInput: Factory? = nil, make: @escaping Factory
    ) {
        self.fixes = fixes
        self.isInTimeOrder = isInTimeOrder
        self.patience = patience
        self.promptness = promptness
        self.make = make
        makeWithBadInput = badInput
    }

    /// What an examination sees, laws included that need bad input or a source that repeats itself.
    ///
    /// - Throws: what making a source throws; a source's own errors are judged, not thrown.
    public func report() async throws -> LawReport {
        var found = try await deliversAndEnds()
        found += try await waitsForTheOutput()
        found += try await runsAgain()
        var unexamined: [Law: String] = [:]
        if try await make().timeBase == .fixTime {
            found += try await repeatsItself()
        } else {
            unexamined[.repeatsItself] = "the source's time is that of arrival"
        }
        if let makeWithBadInput {
            found += try await survivesBadInput(makeWithBadInput)
        } else {
            unexamined[.reportsBadInput] = "no bad input was given"
        }
        if !isInTimeOrder { unexamined[.keepsOrder] = "the input's times go back" }
        return LawReport(found, of: Law.self) { unexamined[$0] }
    }

    /// Every law, as a sentence.
    fileprivate enum Law: String, CaseIterable {
        case deliversInput = "a source delivers what its input holds"
        case doesNotThrow = "a source does not throw on good or bad input"
        case callsEmit = "a source calls emit"
        case awaitsEmit = "a source awaits emit"
        case stopsWhenEmitThrows = "a source stops when emit throws"
        case keepsOrder = "fixes come in the order of the input"
        case hasCoordinate = "a fix has a valid coordinate"
        case tellsChanges = "a status is told on changes only"
        case endsPromptly = "a cancelled source ends promptly"
        case runsAgain = "a cancelled source runs again"
        case repeatsItself = "the same input gives the same fixes"
        case reportsBadInput = "bad input is reported"
    }
}

// MARK: - The laws

extension SourceLaws {
    /// Order, values, one call at a time, statuses on change, an end when cancelled.
    func deliversAndEnds() async throws -> [LawViolation] {
        let probe = SourceProbe()
        let run = SourceRun(try await make(), probe)
        let found = await delivery(probe, run) + end(of: run)
        return found + Self.judge(probe.seen, isInTimeOrder: isInTimeOrder)
    }

    /// An output that does not return gets no second call, and cancellation ends even that wait.
    func waitsForTheOutput() async throws -> [LawViolation] {
        let probe = SourceProbe(.hold)
        let run = SourceRun(try await make(), probe)
        guard await comesAbout(within: patience, { probe.seen.calls > 0 }) else {
            run.cancel()
            return [LawViolation(.callsEmit, "no call within \(patience)")]
        }
        // Nothing announces a call that must not come; this gives it some time.
        _ = await comesAbout(within: .milliseconds(100)) { probe.seen.calls > 1 }
        var found = await end(of: run)
        let seen = probe.seen
        if seen.mostCallsInFlight > 1 {
            found.append(
                LawViolation(.awaitsEmit, "\(seen.mostCallsInFlight) calls while the first had not returned")
            )
        }
        if seen.callsAfterCancellation > 0 {
            found.append(
                LawViolation(
                    .stopsWhenEmitThrows, "\(seen.callsAfterCancellation) further calls"))
        }
        return found
    }

    /// The same value can run again after it was cancelled.
    func runsAgain() async throws -> [LawViolation] {
        let source = try await make()
        var found: [LawViolation] = []
        for _ in 0..<2 {
            let probe = SourceProbe()
            let run = SourceRun(source, probe)
            found += await delivery(probe, run)
            found += await end(of: run)
        }
        return found.map { LawViolation(.runsAgain, $0.description) }
    }

    /// On its own time base a source gives the same fixes for the same input.
    func repeatsItself() async throws -> [LawViolation] {
        var runs: [[Fix]] = []
        for _ in 0..<2 {
            let source = try await make()
            let probe = SourceProbe()
            let run = SourceRun(source, probe)
            let found = await delivery(probe, run) + end(of: run)
            guard found.isEmpty else { return found }
            runs.append(Array(probe.seen.fixes.prefix(fixes)))
        }
        guard runs[0] != runs[1] else { return [] }
        let place = zip(runs[0], runs[1]).enumerated().first { $0.element.0 != $0.element.1 }?.offset ?? -1
        return [LawViolation(.repeatsItself, "fix \(place + 1) differs")]
    }

    /// Bad input is reported, and the good input around it still becomes fixes.
    func survivesBadInput(_ makeWithBadInput: Factory) async throws -> [LawViolation] {
        let probe = SourceProbe()
        let run = SourceRun(try await makeWithBadInput(), probe)
        let found = await delivery(probe, run) + end(of: run)
        guard probe.seen.problems.isEmpty else { return found }
        return found + [LawViolation(.reportsBadInput, "no problem")]
    }
}

// MARK: - What they are made of

extension SourceLaws {
    /// Waits until the source has delivered, or has failed to.
    private func delivery(_ probe: SourceProbe, _ run: SourceRun) async -> [LawViolation] {
        _ = await comesAbout(within: patience) { probe.seen.fixes.count >= fixes || run.outcome != nil }
        let count = probe.seen.fixes.count
        guard count < fixes else { return [] }
        if case .threw(let error) = run.outcome {
            return [LawViolation(.doesNotThrow, error)]
        }
        return [LawViolation(.deliversInput, "\(count) fixes of \(fixes)")]
    }

    /// Cancels a run and waits for its end. One that does not end stays behind: nothing can stop it.
    private func end(of run: SourceRun) async -> [LawViolation] {
        run.cancel()
        guard await run.ends(within: promptness) else {
            return [LawViolation(.endsPromptly, "it still ran after \(promptness)")]
        }
        return []
    }

    private static func judge(_ seen: SourceProbe.Seen, isInTimeOrder: Bool) -> [LawViolation] {
        var found: [LawViolation] = []
        if seen.mostCallsInFlight > 1 {
            found.append(LawViolation(.awaitsEmit, "\(seen.mostCallsInFlight) calls at the same time"))
        }
        let times = seen.fixes.map(\.time)
        if isInTimeOrder, let place = zip(times, times.dropFirst()).enumerated().first(where: { $1.0 > $1.1 })?.offset {
            found.append(
                LawViolation(.keepsOrder, "fix \(place + 2) lies before fix \(place + 1)"))
        }
        if let place = seen.fixes.firstIndex(where: { !$0.coordinate.isValid }) {
            found.append(LawViolation(.hasCoordinate, "fix \(place + 1) has none"))
        }
        if let status = zip(seen.statuses, seen.statuses.dropFirst()).first(where: { $0 == $1 })?.0 {
            found.append(LawViolation(.tellsChanges, "\(status) twice in a row"))
        }
        return found
    }
}

extension LawViolation {
    fileprivate init(_ law: SourceLaws.Law, _ seen: String) { self.init(law.rawValue, seen) }
}
