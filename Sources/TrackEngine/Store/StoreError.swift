/// The error of a store.
public struct StoreError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure, which determines the remedy.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// A stable name for the code.
        public let rawValue: String

        /// Creates a code for a custom store.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The disk or the store's quota is full and no record may be dropped. A later retry may succeed.
        public static let full = Code(rawValue: "full")
        /// Another process has the store open. Stop it first.
        public static let locked = Code(rawValue: "locked")
        /// The store was written by a newer release. Use that release.
        public static let newerSchema = Code(rawValue: "newerSchema")
        /// The store's file is another program's database. It is left unchanged; move it away or choose another
        /// directory.
        public static let foreignDatabase = Code(rawValue: "foreignDatabase")
        /// The store is encrypted, and its key is missing or wrong. The store is unchanged; pass the right key.
        public static let wrongKey = Code(rawValue: "wrongKey")
        /// The store's content is damaged and cannot be read.
        public static let damaged = Code(rawValue: "damaged")
        /// Reading or writing failed. A later retry may succeed.
        public static let inputOutput = Code(rawValue: "inputOutput")
        /// The store's files were removed or replaced. No further records are accepted; restart to begin a new store.
        public static let removed = Code(rawValue: "removed")
        /// The store has been closed.
        public static let closed = Code(rawValue: "closed")
    }

    /// The kind of failure.
    public let code: Code
    /// A description of the failure for people; free of positions.
    public let message: String

    /// Creates an error.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The code and the message.
    public var description: String { "\(code.rawValue): \(message)" }
}
