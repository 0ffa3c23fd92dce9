import TestSupport
import Testing
import TrackEngine
import TrackEngineSQLite
import TrackEngineTestKit

/// What event detectors know outlives what the pipelines know.
@Suite struct DetectorStateTests {
    private static let keys = [false, true]

    private static func home(_ root: StoreDirectory, isEncrypted: Bool) -> StoreDirectory {
        isEncrypted ? StoreDirectory(path: root.path + "/store", key: .random()) : root
    }

    private static func checkpoint(_ number: Int, _ state: [UInt8]) -> SourceCheckpoint {
        let draft = StoreMaterial.draft(number)
        return SourceCheckpoint(
            source: "law", last: draft, lastMovement: draft.fix.time, isStandby: false, detectorState: state)
    }

    @Test(arguments: keys)
    func `a state is kept with its position, though events come after it`(isEncrypted: Bool) async throws {
        try await StoreDirectory.with { root in
            let home = Self.home(root, isEncrypted: isEncrypted)
            let store = try await home.open()
            let drafts = StoreMaterial.drafts(0..<3) + StoreMaterial.events(2)
            _ = try await store.append(drafts, checkpoint: Self.checkpoint(2, [1, 2, 3]))
            await store.close()
            let again = try await home.open()
            #expect(try await again.detectorStates() == ["law": [1, 2, 3]])
            #expect(try await again.checkpoints() == [Self.checkpoint(2, [1, 2, 3])])
            #expect(try await again.allRecords().map(\.draft) == drafts)
            await again.close()
        }
    }

    @Test(arguments: keys)
    func `a state of an event alone replaces the one before`(isEncrypted: Bool) async throws {
        try await StoreDirectory.with { root in
            let home = Self.home(root, isEncrypted: isEncrypted)
            let store = try await home.open()
            _ = try await store.append(StoreMaterial.drafts(0..<1), checkpoint: Self.checkpoint(0, [1]))
            _ = try await store.append(StoreMaterial.events(1), checkpoint: Self.checkpoint(0, [2]))
            await store.close()
            let again = try await home.open()
            #expect(try await again.detectorStates() == ["law": [2]])
            await again.close()
        }
    }

    @Test(arguments: keys)
    func `a state outlives its record and the checkpoints, and goes when the store is cleared`(isEncrypted: Bool)
        async throws
    {
        try await StoreDirectory.with { root in
            let home = Self.home(root, isEncrypted: isEncrypted)
            let store = try await home.open()
            try await store.configure(RetentionConfiguration(), sinks: ["a"])
            let records = try await store.append(StoreMaterial.drafts(0..<3), checkpoint: Self.checkpoint(2, [7]))
            try await store.forgetCheckpoints()
            try await store.settle(
                Settlement(origin: .queue, records: records, time: StoreMaterial.start), for: "a")
            try await store.prune(now: StoreMaterial.start)
            #expect(try await store.status().count == 0)
            await store.close()
            let again = try await home.open()
            #expect(try await again.checkpoints() == [])
            #expect(try await again.detectorStates() == ["law": [7]])
            try await again.clear()
            #expect(try await again.detectorStates() == [:])
            await again.close()
            let last = try await home.open()
            #expect(try await last.detectorStates() == [:])
            await last.close()
        }
    }

    @Test(arguments: keys)
    func `a record of which everything is known has room, with a state and without`(isEncrypted: Bool) async throws {
        try await StoreDirectory.with { root in
            let home = Self.home(root, isEncrypted: isEncrypted)
            let fix = Fix(
                time: StoreMaterial.start, coordinate: Coordinate(latitude: 48.1, longitude: 11.5), altitude: 1,
                ellipsoidalAltitude: 2, horizontalAccuracy: 3, verticalAccuracy: 4, speed: 5, speedAccuracy: 6,
                course: 7, courseAccuracy: 8, horizontalDilution: 9, positionDilution: 10, satellitesUsed: 11,
                satellitesVisible: 12, mode: .threeDimensional, status: .rtkFixed, activity: .driving)
            let draft = RecordDraft(
                id: RecordID(device: "d", source: "law", fix: fix, cause: .still), fix: fix, isMoving: true,
                event: .motionChange, cause: .still, activity: ActivityEstimate(.driving, confidence: 100),
                source: "law", host: HostStatus(batteryLevel: 0.5, batteryState: .charging), odometer: 13)
            let store = try await home.open()
            for state in [[], [UInt8](repeating: 1, count: 500)] {
                let checkpoint = SourceCheckpoint(
                    source: "law", last: draft, lastMovement: fix.time, isStandby: true, activityState: 1,
                    detectorState: state)
                _ = try await store.append([draft], checkpoint: checkpoint)
                _ = try await store.append(Array(repeating: draft, count: 20), checkpoint: checkpoint)
            }
            #expect(try await store.allRecords().map(\.draft) == Array(repeating: draft, count: 42))
            await store.close()
        }
    }

    @Test func `a large state is kept whole`() async throws {
        try await StoreDirectory.with { home in
            let state = (0..<65_536).map { UInt8(truncatingIfNeeded: $0 * 31) }
            let store = try await home.open()
            _ = try await store.append(StoreMaterial.drafts(0..<25), checkpoint: Self.checkpoint(24, state))
            await store.close()
            let again = try await home.open()
            #expect(try await again.detectorStates() == ["law": state])
            await again.close()
        }
    }
}
