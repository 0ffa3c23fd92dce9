import TrackEngineSimulated

/// What a disk may hold when the power goes: what was synced, and any part of what was not.
///
/// A file's writes and truncations are certain after its fsync, its name after an fsync of the directory. Until then each
/// 512-byte sector may be there, missing or torn, and each change of a name made or not.
package struct DiskImage: Sendable {
    /// How the fate of what was not synced is decided.
    package enum Survival: Int, Sendable, CaseIterable {
        /// Nothing that was not synced is there.
        case nothing
        /// Everything is.
        case everything
        /// The first changes are there, the later ones are not: a disk that keeps the order.
        case inOrder
        /// A coin for each file and each name.
        case byFile
        /// A coin for each sector and each name; some sectors are torn.
        case bySector
    }

    private enum Change {
        case write(offset: Int, bytes: [UInt8])
        case truncate(length: Int)
    }

    private enum NameChange {
        case add(String, UInt64)
        case rename(String, String, UInt64)
        case remove(String)
    }

    private struct File {
        var durable: [UInt8] = []
        var pending: [Change] = []
    }

    private static let sector = 512

    private var files: [UInt64: File] = [:]
    private var names: [String: UInt64] = [:]
    private var pendingNames: [NameChange] = []
    private var initial: [String: [UInt8]]

    /// - Parameter initial: the files that are there before, by path.
    package init(initial: [String: [UInt8]]) { self.initial = initial }

    package mutating func apply(_ call: RecordedCall) {
        switch call.kind {
        case .attach:
            files[call.file] = File(durable: initial.removeValue(forKey: call.path) ?? [])
            names[call.path] = call.file
        case .create:
            files[call.file] = File()
            pendingNames.append(.add(call.path, call.file))
        case .write: files[call.file, default: File()].pending.append(.write(offset: call.offset, bytes: call.bytes))
        case .truncate: files[call.file, default: File()].pending.append(.truncate(length: call.offset))
        case .sync: sync(call.file)
        case .rename: pendingNames.append(.rename(call.path, call.other, call.file))
        case .unlink: pendingNames.append(.remove(call.path))
        case .syncDirectory:
            for change in pendingNames { Self.make(change, in: &names) }
            pendingNames = []
        case .line: break
        }
    }

    private mutating func sync(_ id: UInt64) {
        guard var file = files[id] else { return }
        for change in file.pending { Self.make(change, in: &file.durable) { _ in true } }
        file.pending = []
        files[id] = file
    }

    private static func make(_ change: NameChange, in names: inout [String: UInt64]) {
        switch change {
        case .add(let name, let file): names[name] = file
        case .rename(let name, let other, let file):
            names[name] = nil
            names[other] = file
        case .remove(let name): names[name] = nil
        }
    }

    /// Makes a change of a file, sector by sector as `survives` says with the sector's place in the file.
    private static func make(_ change: Change, in bytes: inout [UInt8], survives: (Int) -> Bool) {
        switch change {
        case .truncate(let length):
            guard survives(0) else { return }
            if length < bytes.count { bytes.removeLast(bytes.count - length) }
            if length > bytes.count { bytes += [UInt8](repeating: 0, count: length - bytes.count) }
        case .write(let offset, let new):
            var start = 0
            while start < new.count {
                let end = min(new.count, start + sector - (offset + start) % sector)
                if survives((offset + start) / sector) { put(new[start..<end], at: offset + start, in: &bytes) }
                start = end
            }
        }
    }

    private static func put(_ new: ArraySlice<UInt8>, at offset: Int, in bytes: inout [UInt8]) {
        let end = offset + new.count
        if bytes.count < end { bytes += [UInt8](repeating: 0, count: end - bytes.count) }
        bytes.replaceSubrange(offset..<end, with: new)
    }

    // MARK: - The cut

    /// The files after a cut here, by path.
    package func contents(_ survival: Survival, using random: inout SplitMix64) -> [String: [UInt8]] {
        var names = names
        let kept = Int.random(in: 0...pendingNames.count, using: &random)
        for (index, change) in pendingNames.enumerated() {
            let isKept =
                switch survival {
                case .nothing: false
                case .everything: true
                case .inOrder: index < kept
                case .byFile, .bySector: Bool.random(using: &random)
                }
            if isKept { Self.make(change, in: &names) }
        }
        var contents = initial
        for (name, id) in names.sorted(by: { $0.key < $1.key }) {
            contents[name] = files[id].map { Self.bytes(of: $0, survival, using: &random) } ?? []
        }
        return contents
    }

    private static func bytes(of file: File, _ survival: Survival, using random: inout SplitMix64) -> [UInt8] {
        var bytes = file.durable
        let isKept = Bool.random(using: &random)
        let kept = Int.random(in: 0...file.pending.count, using: &random)
        for (index, change) in file.pending.enumerated() {
            var chance = random
            switch survival {
            case .nothing: break
            case .everything: make(change, in: &bytes) { _ in true }
            case .inOrder: if index < kept { make(change, in: &bytes) { _ in true } }
            case .byFile: if isKept { make(change, in: &bytes) { _ in true } }
            case .bySector:
                make(torn(change, using: &chance), in: &bytes) { _ in Bool.random(using: &chance) }
            }
            random = chance
        }
        return bytes
    }

    /// One write in eight ends in the middle of a sector.
    private static func torn(_ change: Change, using random: inout SplitMix64) -> Change {
        guard case .write(let offset, let bytes) = change, bytes.count > 1, Int.random(in: 0..<8, using: &random) == 0
        else { return change }
        return .write(offset: offset, bytes: Array(bytes.prefix(Int.random(in: 1..<bytes.count, using: &random))))
    }
}
