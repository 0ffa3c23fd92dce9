import Foundation
import TrackEngineSimulated

/// What storage, people and other programs do to a store's files.
enum Damage: String, CaseIterable, Sendable {
    case zeroedPage, bitFlip, bitFlips, zeroedPages, truncation, header, firstPage, swappedPages
    case emptyFile, garbage, otherDatabase, missingDatabase
    case logGarbage, logBitFlips, logTruncation
    case ledgerGarbage, missingLedger
    case pipeAsDatabase, pipeAsLog, pipeAsLedger, linkAsDatabase, directoryAsDatabase, otherOwner

    /// Whether the store may refuse to open: these are nothing that a store of ours ever was.
    var mayRefuse: Bool {
        switch self {
        case .pipeAsDatabase, .pipeAsLog, .pipeAsLedger, .linkAsDatabase, .directoryAsDatabase, .otherOwner,
            .otherDatabase:
            true
        default: false
        }
    }

    /// The part of the rows on whole pages that must come back.
    var share: Double {
        switch self {
        case .zeroedPage, .ledgerGarbage, .missingLedger: 0.99
        case .bitFlip, .bitFlips, .zeroedPages, .truncation, .header, .firstPage, .swappedPages: 0.95
        case .logGarbage, .logBitFlips, .logTruncation: 0.95
        default: 0
        }
    }

    /// Damages the files in a folder.
    ///
    /// - Returns: how many rows stood on the pages that are gone or changed.
    func inflict(on folder: String, using random: inout SplitMix64) throws -> Int {
        let (database, log, ledger) =
            (folder + "/track.sqlite", folder + "/track.sqlite-wal", folder + "/track.ledger")
        switch self {
        case .logGarbage, .logBitFlips, .logTruncation: return try damageLog(log, using: &random)
        case .ledgerGarbage: try Data(repeating: 7, count: 90).write(to: URL(fileURLWithPath: ledger))
        case .missingLedger: try FileManager.default.removeItem(atPath: ledger)
        case .missingDatabase: try FileManager.default.removeItem(atPath: database)
        case .pipeAsDatabase: try replace(database) { mkfifo($0, 0o600) }
        case .pipeAsLog: try replace(log) { mkfifo($0, 0o600) }
        case .pipeAsLedger: try replace(ledger) { mkfifo($0, 0o600) }
        case .linkAsDatabase: try replace(database) { symlink("/dev/null", $0) }
        case .directoryAsDatabase: try replace(database) { mkdir($0, 0o700) }
        case .otherOwner:
            guard geteuid() == 0 else { return 0 }
            chown(database, 12_345, 12_345)
        case .otherDatabase:
            try ForeignDatabase(using: &random).replace(database)
            // Who copies a file over ours seldom thinks of the log beside it.
            if Bool.random(using: &random) { try FileManager.default.removeItem(atPath: log) }
        default: return try damagePages(of: database, using: &random)
        }
        return 0
    }

    private func replace(_ path: String, with make: (String) -> Int32) throws {
        if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
        guard make(path) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    private func damageLog(_ log: String, using random: inout SplitMix64) throws -> Int {
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: log)))
        switch self {
        case .logGarbage: for index in bytes.indices { bytes[index] = UInt8.random(in: 0...255, using: &random) }
        case .logBitFlips: for _ in 0..<8 { bytes.flipBit(in: bytes.indices, using: &random) }
        default: bytes.removeLast(Int.random(in: 1...bytes.count, using: &random))
        }
        try Data(bytes).write(to: URL(fileURLWithPath: log))
        return DamagedStores.rowsInLog
    }

    private func damagePages(of database: String, using random: inout SplitMix64) throws -> Int {
        let url = URL(fileURLWithPath: database)
        var pages = DatabasePages(bytes: [UInt8](try Data(contentsOf: url)))
        var bytes = pages.bytes
        var hurt: Set<Int> = []
        func page() -> Int { Int.random(in: 1..<pages.count, using: &random) }
        switch self {
        case .zeroedPage: hurt = [page()]
        case .zeroedPages: hurt = [page(), page(), page()]
        case .firstPage: for index in 0..<4096 { bytes[index] = UInt8.random(in: 0...255, using: &random) }
        case .header: for index in 0..<100 { bytes[index] = UInt8.random(in: 0...255, using: &random) }
        case .bitFlip, .bitFlips:
            for _ in 0..<(self == .bitFlip ? 1 : 8) {
                hurt.insert(bytes.flipBit(in: bytes.indices, using: &random) / DatabasePages.size)
            }
        case .truncation:
            let length = Int.random(in: 4096..<bytes.count, using: &random)
            hurt = Set(length / DatabasePages.size..<pages.count)
            bytes.removeLast(bytes.count - length)
        case .swappedPages:
            let leaves = pages.recordLeaves.shuffled(using: &random)
            if leaves.count > 1 { bytes.swapPages(leaves[0], leaves[1]) }
        case .emptyFile: bytes = []
        default: bytes = bytes.map { _ in UInt8.random(in: 0...255, using: &random) }
        }
        if self == .zeroedPage || self == .zeroedPages {
            for page in hurt {
                bytes.replaceSubrange(page * 4096..<(page + 1) * 4096, with: repeatElement(0, count: 4096))
            }
        }
        let rows = hurt.reduce(0) { $0 + pages.cells($1) }
        pages = DatabasePages(bytes: bytes)
        try Data(bytes).write(to: url)
        return rows
    }
}

extension [UInt8] {
    /// Flips a random bit, but none of the version's in the header: a newer release's store is refused, not mended.
    @discardableResult
    fileprivate mutating func flipBit(in range: Range<Int>, using random: inout SplitMix64) -> Int {
        let index = Int.random(in: range, using: &random)
        if !(60..<64).contains(index) { self[index] ^= 1 << UInt8.random(in: 0..<8, using: &random) }
        return index
    }

    fileprivate mutating func swapPages(_ one: Int, _ other: Int) {
        for offset in 0..<DatabasePages.size {
            swapAt(one * DatabasePages.size + offset, other * DatabasePages.size + offset)
        }
    }
}
