/// Why a store could not do what it was asked.
public struct StoreError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of failure it is, and thereby what helps.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// A stable word for the code.
        public let rawValue: String

        /// A code of a store of one's own.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The disk or the store's quota is full and nothing may be dropped. Trying again later may work.
        public static let full = Code(rawValue: "full")
        /// Another process has the store open. Stop it first.
        public static let locked = Code(rawValue: "locked")
        /// A newer release wrote the store. Use that release.
        public static let newerSchema = Code(rawValue: "newerSchema")
        /// Another program's database stands in the store's place. It is left as it is; move it away or choose another
        /// directory.
        public static let foreignDatabase = Code(rawValue: "foreignDatabase")
        /// The store is encrypted, and its key is missing or another one. Nothing has been changed; give the right key.
        public static let wrongKey = Code(rawValue: "wrongKey")
        /// The store cannot be read as what it should be.
        public static let damaged = Code(rawValue: "damaged")
        /// Reading or writing failed. Trying again later may work.
        public static let inputOutput = Code(rawValue: "inputOutput")
        /// Somebody has removed or replaced the store's files. Nothing more is accepted; restart to begin a new store.
        public static let removed = Code(rawValue: "removed")
        /// The store has been closed.
        public static let closed = Code(rawValue: "closed")
    }

    /// What kind of failure it is.
    public let code: Code
    /// What happened, for people; free of positions.
    public let message: String

    /// Makes an error.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The code and the message.
    public var description: String { "\(code.rawValue): \(message)" }
}
