import Testing
import TrackEngine
import TrackEngineTestKit

/// A source of ten fixes a millisecond apart that can break one law at a time.
private struct MutantSource: FixSource {
    enum Fault: CaseIterable {
        case none, ignoresCancellation, reorders, emitsConcurrently, goesOnAfterThrow, throwsOnBadInput
        case silentOnBadInput, invalidCoordinate, differsEachTime, repeatsStatus, losesFixes, runsOnce
    }

    let fault: Fault
    var isBadInput = false
    var timeBase: TimeBase { .fixTime }
    var id: SourceID { "mutant" }
    private let runs = Counter()

    init(_ fault: Fault, isBadInput: Bool = false) {
        self.fault = fault
        self.isBadInput = isBadInput
    }

    func run(_ output: FixOutput) async throws {
        if fault == .runsOnce, runs.next() > 1 { return }
        output.status(.receiving)
        if fault == .repeatsStatus { output.status(.receiving) }
        if isBadInput, fault == .throwsOnBadInput { throw MutantError() }
        if isBadInput, fault != .silentOnBadInput { output.report(SourceProblem(.malformed, "bad")) }
        try await emitAll(to: output)
        try await rest()
    }

    private func emitAll(to output: FixOutput) async throws {
        if fault == .emitsConcurrently {
            return try await withThrowingTaskGroup { group in
                for fix in fixes { group.addTask { try await output.emit(fix) } }
                try await group.waitForAll()
            }
        }
        for fix in fixes {
            do {
                try await output.emit(fix)
            } catch {
                guard fault == .goesOnAfterThrow else { throw error }
            }
        }
    }

    /// A live source waits for more.
    private func rest() async throws {
        if fault == .ignoresCancellation {
            // Much longer than a law's promptness, also on a machine that is busy, but not for ever.
            // Detached, so that it hears nothing of the cancellation.
            return try await Task.detached { try await ContinuousClock().sleep(for: .seconds(30)) }.value
        }
        await untilCancelled()
        try Task.checkCancellation()
    }

    private var fixes: [Fix] {
        let seed = fault == .differsEachTime ? Double(Self.made.next()) * 1e-6 : 0
        var fixes = (0..<10).map { number in
            Fix(
                time: Timestamp(nanosecondsSince1970: Int64(number) * 1_000_000),
                coordinate: Coordinate(
                    latitude: number == 3 && fault == .invalidCoordinate ? .nan : 48, longitude: seed))
        }
        if fault == .reorders { fixes.swapAt(1, 2) }
        if fault == .losesFixes { fixes.removeLast() }
        return fixes
    }

    private static let made = Counter()
}

private struct MutantError: Error {}

@Suite("The laws of sources catch who breaks them", .timeLimit(.minutes(30)))
struct SourceLawsTests {
    private func violations(_ fault: MutantSource.Fault) async throws -> Set<String> {
        // Short only where a law is broken by not coming to an end: a busy machine keeps good sources waiting, too.
        let laws = SourceLaws(
            fixes: 10, patience: fault == .losesFixes ? .milliseconds(500) : .seconds(20),
            promptness: fault == .ignoresCancellation ? .milliseconds(200) : .seconds(10),
            badInput: { MutantSource(fault, isBadInput: true) }, make: { MutantSource(fault) })
        return Set(try await laws.violations().map(\.law))
    }

    @Test
    func `a good source breaks none`() async throws {
        #expect(try await violations(.none) == [])
    }

    @Test(
        arguments: [
            (.ignoresCancellation, "a cancelled source ends promptly"),
            (.reorders, "fixes come in the order of the input"),
            (.emitsConcurrently, "a source awaits emit"),
            (.goesOnAfterThrow, "a source stops when emit throws"),
            (.throwsOnBadInput, "a source does not throw on good or bad input"),
            (.silentOnBadInput, "bad input is reported"),
            (.invalidCoordinate, "a fix has a valid coordinate"),
            (.differsEachTime, "the same input gives the same fixes"),
            (.repeatsStatus, "a status is told on changes only"),
            (.losesFixes, "a source delivers what its input holds"),
            (.runsOnce, "a cancelled source runs again"),
        ] as [(MutantSource.Fault, String)])
    fileprivate func `each mutant breaks the law it was made for`(fault: MutantSource.Fault, law: String) async throws {
        #expect(try await violations(fault).contains(law))
    }
}
