import Foundation

/// A part that fails in every way in which a try can: for the tests of ``TortureRun``.
package struct FaultyPart: TorturePart {
    package let name = "faulty"
    package let summary = """
        a try that passes, one that dies, one that hangs, one that finds something, one that cannot be made
        """
    package let bar = "none"
    package let patience = 5.0

    package init() {}

    package func tries(at scale: TortureScale, on bench: TortureBench) -> [Int] { [0, 1, 2, 3, 4] }

    package func attempt(_ number: Int, on bench: TortureBench) async throws -> TryResult {
        switch number {
        case 1: kill(getpid(), SIGKILL)
        case 2: while true { pause() }  // until the run ends it
        case 4: return .notRun("there is no such machine")
        default: break
        }
        return TryResult(violations: number == 3 ? ["found something"] : [], counts: ["made": 1])
    }
}
