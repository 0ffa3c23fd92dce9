import Logging
import TrackEngineSQLite

/// Notes in the ledger what the store says in its log about the records that it holds.
struct StoreLogListener: LogHandler {
    var logLevel = Logger.Level.error
    var metadata: Logger.Metadata = [:]
    private let ledger: LedgerFile

    init(_ ledger: LedgerFile) { self.ledger = ledger }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        if event.message == SQLiteFixStore.mayHoldUnacknowledged { ledger.note(.unsure) }
    }
}
