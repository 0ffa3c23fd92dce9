import TestSupport
import Testing
import TrackEngine
import TrackEngineSQLite
import TrackEngineTestKit

@Suite struct EncryptedLawsTests {
    private func violations(
        of law: StoreLaws.Law, seeds: Range<UInt64>, afterKill: Bool
    ) async throws -> [LawViolation] {
        try await StoreDirectory.with { root in
            let homes = StoreHomes(root: StoreDirectory(path: root.path, key: .random()))
            let reopen = afterKill ? homes.reopenAfterKill : homes.reopen
            return try await StoreLaws(make: homes.make, reopen: reopen, seeds: seeds)
                .violations(of: law)
        }
    }

    @Test(arguments: StoreLaws.Law.allCases)
    func `an encrypted store keeps the law when closed in order`(_ law: StoreLaws.Law) async throws {
        let violations = try await violations(of: law, seeds: 200..<210, afterKill: false)
        #expect(violations == [])
    }

    @Test(arguments: StoreLaws.Law.allCases.filter(\.concernsReopening))
    func `an encrypted store keeps the law when killed`(_ law: StoreLaws.Law) async throws {
        let violations = try await violations(of: law, seeds: 300..<310, afterKill: true)
        #expect(violations == [])
    }
}
