import Testing
import TrackEngine
import TrackEngineTestKit

/// A recording of six fixes a second apart that can break one law at a time.
private struct MutantRecording: RecordedSource {
    enum Fault: CaseIterable {
        case none, neverEnds, forgetsTheLast, comparesSpeeds, holdsTheTime, holdsThePlace, startsOver, repeatsTheFix
        case skipsOne, startsOverAfterTheLast, isConsumed, ignoresCancellation
    }

    let fault: Fault
    let id: SourceID = "mutant"
    var timeBase: TimeBase { .fixTime }
    private let runs = Counter()

    init(_ fault: Fault) {
        self.fault = fault
    }

    private static let fixes = (0..<6).map { number in
        Fix(
            time: Timestamp(secondsSince1970: 1_772_359_200 + Int64(number)),
            coordinate: Coordinate(latitude: 48, longitude: Double(number)), speed: Double(number))
    }

    func run(_ output: FixOutput) async throws {
        try await output.emit(contentsOf: runs.next() > 1 && fault == .isConsumed ? [] : Self.fixes)
        if fault == .neverEnds { await untilCancelled() }
    }

    func holds(_ fix: Fix) async throws -> Bool {
        let fixes = fault == .forgetsTheLast ? Self.fixes.dropLast() : Self.fixes[...]
        return fixes.contains { own in
            switch fault {
            case .comparesSpeeds: own == fix
            case .holdsTheTime: own.time == fix.time
            case .holdsThePlace: own.coordinate == fix.coordinate
            case .none, .neverEnds, .forgetsTheLast, .startsOver, .repeatsTheFix, .skipsOne, .startsOverAfterTheLast,
                .isConsumed, .ignoresCancellation:
                own.time == fix.time && own.coordinate == fix.coordinate
            }
        }
    }

    func run(_ output: FixOutput, after fix: Fix) async throws {
        let place = Self.fixes.firstIndex { $0.time == fix.time } ?? 0
        let isLast = place == Self.fixes.count - 1
        let startsOver = fault == .startsOver && !isLast || fault == .startsOverAfterTheLast && isLast
        if startsOver { return try await run(output) }
        let first = fault == .repeatsTheFix ? place : fault == .skipsOne && place == 1 ? place + 2 : place + 1
        _ = runs.next()
        do {
            try await output.emit(contentsOf: Array(Self.fixes[first...]))
        } catch {
            guard fault == .ignoresCancellation else { throw error }
            // Much longer than the law's promptness. Detached, so that it hears nothing of the cancellation.
            try await Task.detached { try await ContinuousClock().sleep(for: .seconds(30)) }.value
        }
    }
}

@Suite("The laws of recorded sources catch who breaks them", .timeLimit(.minutes(30)))
struct RecordedSourceLawsTests {
    private func report(_ fault: MutantRecording.Fault) async throws -> LawReport {
        // Short only where a law is broken by not coming to an end: a busy machine keeps good sources waiting, too.
        try await RecordedSourceLaws(
            patience: fault == .neverEnds ? .milliseconds(500) : .seconds(20),
            promptness: fault == .ignoresCancellation ? .milliseconds(200) : .seconds(10)
        ) { MutantRecording(fault) }.report()
    }

    @Test func `a good recording breaks none, and each is examined`() async throws {
        let report = try await report(.none)
        #expect(report.violations == [])
        #expect(report.findings.count == 8)
        #expect(report.findings.allSatisfy { $0.verdict == .kept }, "\(report)")
    }

    @Test(
        arguments: [
            (.neverEnds, "a recording has an end, and three fixes of different times or places"),
            (.forgetsTheLast, "a recording holds each fix that it delivers"),
            (.comparesSpeeds, "a recording knows a fix by its time and place alone"),
            (.holdsTheTime, "a recording holds no fix of another time or place"),
            (.holdsThePlace, "a recording holds no fix of another time or place"),
            (.startsOver, "a run after a fix delivers what follows it"),
            (.repeatsTheFix, "a run after a fix delivers what follows it"),
            (.skipsOne, "a run after a fix delivers what follows it"),
            (.startsOverAfterTheLast, "a run after the last fix delivers nothing and ends"),
            (.isConsumed, "a run takes nothing from the recording"),
            (.ignoresCancellation, "a cancelled run after a fix ends promptly"),
        ] as [(MutantRecording.Fault, String)])
    fileprivate func `each mutant breaks the law it was made for`(_ fault: MutantRecording.Fault, _ law: String)
        async throws
    {
        #expect(try await report(fault).violations.map(\.law).contains(law))
    }
}
