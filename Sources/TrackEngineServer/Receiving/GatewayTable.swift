package import TrackEngine
package import TrackEngineHistory
import TrackEngineSettings

/// The gateways of devices: a device's history counts to the share of the gateway that named it, and no other gateway
/// writes there while that one may send.
///
/// Devices that were in the history before the first such name was kept are an exception: several gateways may have
/// sent for one of them, so the second gateway that names it is not refused. The device then has a share of its own.
///
/// A file next to the history keeps the names, encrypted when the history is. Each start removes names without
/// history.
///
/// A file that cannot be read is not an absent one. An entry that cannot be read gives no gateway a right where there
/// are several, and does not affect the others; the file is read again with each request until the entry is there. A
/// damaged file is kept under another name before another one replaces it. Of one that the system does not let be
/// read, nothing is known, and it is not replaced.
package actor GatewayTable {
    /// The most devices of one gateway: more would slow each look at all devices down.
    package static let devicesOfGateway = 5_000
    private static let fileName = "gateways.json"
    private static let maximumSize = 16 << 20

    private struct Saved {
        let file: EncryptedHistoryFile
        var list: GatewayList
        /// The expectation that the file does not meet; it is kept aside before it is replaced.
        var damage: String?
    }

    private let path: String
    private let ownDevice: DeviceID?
    private var kept: Saved?
    private nonisolated let shownProblem = SystemMutex(String?.none)

    /// The file of a directory, which is read when it is needed first.
    ///
    /// - Parameter ownDevice: the device of the agent that the server belongs to, which has no gateway.
    package init(in directory: String, besides ownDevice: DeviceID? = nil) {
        path = "\(directory)/\(Self.fileName)"
        self.ownDevice = ownDevice
    }

    /// The part of the file that could not be read last, and the consequence; `nil` when all could.
    package nonisolated var problem: String? { shownProblem.withLock { $0 } }

    /// Reads the file, so that its problem is known before the first request; returns the problem.
    package func check(_ history: TrackHistory) async -> String? {
        try? await open(history)  // an error of the file is the problem, and the history reports its own
        return problem
    }

    /// The gateways of the devices that they have named.
    ///
    /// - Throws: also when a part of them cannot be read.
    package func gateways(in history: TrackHistory) async throws(StoreError) -> [DeviceID: DeviceID] {
        try await open(history)
        if kept?.list.isIncomplete == true, let problem { throw StoreError(.damaged, problem) }
        return kept?.list.gateways.filter { $0.value != GatewayList.several } ?? [:]
    }

    /// Gives names to a sender: its own name, even if a gateway had it, and other names that no other present gateway
    /// has, up to the limit. A device of before is not refused to another gateway either.
    ///
    /// - Parameters:
    ///   - names: the names that it wants to write under.
    ///   - sender: the sender of the request.
    ///   - history: the history that is written.
    ///   - isAlone: whether there is no gateway but the sender. Entries that cannot be read are then of no consequence.
    ///   - isSender: whether another gateway may still send.
    /// - Returns: the names that it may write under, once that is on the disk.
    package func claim(
        _ names: some Collection<DeviceID> & Sendable, by sender: DeviceID, in history: TrackHistory,
        isAlone: Bool = false, isSender: @Sendable (DeviceID) -> Bool
    ) async throws(StoreError) -> GatewayOutcome {
        try await open(history)
        // It is open, and there is no suspension from here on.
        guard var changed = kept else { return GatewayOutcome() }
        let claim = changed.list.claim(
            names, by: sender, isAlone: isAlone, limit: Self.devicesOfGateway, isSender: isSender)
        if changed.list != kept?.list { try write(&changed) }
        return claim
    }

    private func open(_ history: TrackHistory) async throws(StoreError) {
        if isComplete { return }
        let file = try await history.companion(at: path)
        let aside = try await history.companion(at: path + PrivateFile.asideSuffix)
        let devices = try await Set(history.deviceNames()).subtracting(ownDevice.map { [$0] } ?? [])
        if isComplete { return }  // another task was faster
        do throws(StoreError) {
            // The points of a name that was claimed in this run may be on their way.
            let found = try read(file, devices.union(kept?.list.gateways.keys.map { $0 } ?? []))
            if found.exists { try aside.encryptIfPlain(atMost: Self.maximumSize) }
            kept = found.saved
            showProblem()
        } catch {
            kept = nil
            shownProblem.withLock { $0 = "no points of gateways are kept: \(error)" }
            throw error
        }
    }

    private var isComplete: Bool { kept.map { !$0.list.isIncomplete && $0.damage == nil } ?? false }

    private func read(
        _ file: EncryptedHistoryFile, _ devices: Set<DeviceID>
    ) throws(StoreError) -> (saved: Saved, exists: Bool) {
        let bytes: [UInt8]?
        do throws(StoreError) { bytes = try file.read(atMost: Self.maximumSize) } catch {
            guard error.code == .wrongKey else { throw error }
            return (Saved(file: file, list: GatewayList(unreadableBeside: devices), damage: "\(error)"), true)
        }
        guard let bytes else { return (Saved(file: file, list: GatewayList(beside: devices)), false) }
        try file.encryptIfPlain(atMost: Self.maximumSize)
        let (list, expectation) = GatewayList.read(bytes, of: devices)
        return (Saved(file: file, list: list, damage: expectation.map { "\(path): expected \($0)" }), true)
    }

    private func write(_ changed: inout Saved) throws(StoreError) {
        let json = changed.list.json
        guard json.count <= Self.maximumSize else {
            throw StoreError(.full, "\(path): expected at most \(Self.maximumSize) bytes")
        }
        if changed.damage != nil {
            // Until the other file is complete, this one keeps its name, too.
            do throws(PrivateFileError) { try PrivateFile.keepAside(path) } catch {
                throw StoreError(.inputOutput, "\(error)")
            }
            changed.damage = nil
        }
        try changed.file.replace(with: json)
        kept = changed
        showProblem()
    }

    private func showProblem() {
        let problem = kept.flatMap { saved -> String? in
            guard saved.list.isIncomplete || saved.damage != nil else { return nil }
            let reason =
                saved.damage
                ?? "\(path): entries cannot be read; the file with them is \(Self.fileName)\(PrivateFile.asideSuffix)"
            let unread = saved.list.unread.map(\.rawValue).sorted()
            guard !unread.isEmpty else { return reason }
            let names = unread.prefix(3).joined(separator: ", ") + (unread.count > 3 ? ", …" : "")
            return
                "points for devices of an unknown gateway (\(unread.count): \(names)) are kept of a single gateway only: "
                + reason
        }
        shownProblem.withLock { $0 = problem }
    }
}
