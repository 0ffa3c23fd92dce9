import Testing
import TortureKit
import TrackEngineSimulated

@Suite struct DiskImageTests {
    private func call(
        _ kind: RecordedCall.Kind, path: String = "", other: String = "", offset: Int = 0, bytes: [UInt8] = []
    ) -> RecordedCall {
        RecordedCall(kind: kind, path: path, other: other, file: 1, offset: offset, bytes: bytes)
    }

    private func contents(_ calls: [RecordedCall], _ survival: DiskImage.Survival) -> [String: [UInt8]] {
        var image = DiskImage(initial: [:])
        for call in calls { image.apply(call) }
        var random = SplitMix64(seed: 1)
        return image.contents(survival, using: &random)
    }

    @Test(arguments: DiskImage.Survival.allCases)
    func `what was synced is there whatever becomes of the rest`(_ survival: DiskImage.Survival) {
        let calls = [
            call(.create, path: "f"), call(.write, bytes: [1, 2, 3]), call(.sync), call(.syncDirectory),
            call(.write, offset: 600, bytes: [9]),
        ]
        #expect(contents(calls, survival)["f"]?.prefix(3) == [1, 2, 3])
    }

    @Test func `what was not synced may be missing or there`() {
        let calls = [
            call(.create, path: "f"), call(.sync), call(.syncDirectory), call(.write, bytes: [1, 2]),
        ]
        #expect(contents(calls, .nothing) == ["f": []])
        #expect(contents(calls, .everything) == ["f": [1, 2]])
    }

    @Test func `a name is certain only after its directory was synced`() {
        let calls = [call(.create, path: "f"), call(.write, bytes: [1]), call(.sync)]
        #expect(contents(calls, .nothing) == [:])
        #expect(contents(calls, .everything) == ["f": [1]])
        let moved = calls + [call(.syncDirectory), call(.rename, path: "f", other: "g")]
        #expect(contents(moved, .nothing) == ["f": [1]])
        #expect(contents(moved, .everything) == ["g": [1]])
    }

    @Test func `sectors survive one by one`() {
        let calls = [
            call(.create, path: "f"), call(.write, bytes: [UInt8](repeating: 1, count: 64 * 512)), call(.sync),
            call(.syncDirectory), call(.write, bytes: [UInt8](repeating: 2, count: 64 * 512)),
        ]
        let bytes = contents(calls, .bySector)["f"] ?? []
        let sectors = (0..<64).map { Set(bytes[$0 * 512..<($0 + 1) * 512]) }
        #expect(sectors.contains([1]) && sectors.contains([2]))
    }
}
