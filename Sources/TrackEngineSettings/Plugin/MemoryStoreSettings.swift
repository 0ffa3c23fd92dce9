package import Logging
public import TrackEngine

extension InMemoryFixStore {
    /// `type: memory`: records are lost when the process ends; for trials and for agents that only forward records.
    public static let plugin = StorePlugin(MemoryStoreSettings.self)
}

/// `{type: memory, capacity: 100000}`
package struct MemoryStoreSettings: StoreSettings {
    package static let type = "memory"
    package static let summary = "Memory: undelivered records are lost when the process ends."

    /// The maximum number of records, 1 to 10 000 000. Default 100 000.
    package var capacity = 100_000

    package init() {}

    package static let fields: [Field<Self>] = [
        .integer("capacity", \.capacity, 1...10_000_000, "records")
            .meaning("The most records that are held, of about 350 bytes each; the oldest go first.")
    ]

    package var cautions: [String] { ["type = memory: undelivered records are lost when the process ends"] }

    package func site(in directory: String) -> StoreLocation { StoreLocation(.memory) }

    package func openStore(in directory: String, logger: Logger) async throws(StoreError) -> any FixStore {
        InMemoryFixStore(capacity: capacity)
    }
}
