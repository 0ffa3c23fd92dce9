import TestSupport
import Testing
import TortureKit

/// Faults that last longer than the store's own attempts to open its database again.
@Suite struct FailAtCallTests {
    /// The fault's kind is in the hundred thousands: twenty changing calls in a row fail, with EIO or ENOSPC.
    @Test(.enabled(if: TestEnvironment.isOptimised), arguments: [400_000, 500_000])
    func `an append that threw on a failing disk is gone once the store was closed`(_ kind: Int) async throws {
        let program = TestEnvironment.builtProduct("torture")
        let violations = try await TortureBench.with(seed: 1, program: program) { bench in
            var violations: [String] = []
            // Around the commits whose log is written before the fault begins, or only just.
            for call in stride(from: 122, through: 182, by: 3) {
                violations += try await FailAtCallPart().attempt(kind + call, on: bench).violations
            }
            return violations
        }
        #expect(violations == [])
    }
}
