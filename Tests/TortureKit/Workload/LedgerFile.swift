import Foundation

/// Writes the ledger line by line: what a line says is in the file when the call returns.
struct LedgerFile {
    private let descriptor: Int32

    init(path: String) throws {
        descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        guard descriptor >= 0 else { throw CocoaError(.fileWriteNoPermission) }
    }

    func note(_ entry: LedgerEntry) {
        let bytes = Array((entry.line + "\n").utf8)
        let written = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        precondition(written == bytes.count, "the ledger lies where no fault reaches")
    }
}
