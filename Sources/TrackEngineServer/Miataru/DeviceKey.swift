import CServer
import TrackEngine

/// The stored form of a key that a person chose: its scrypt (RFC 7914) with a salt. A guess takes 16 MiB and some 50
/// ms.
struct DeviceKey: Sendable, Hashable {
    private let salt: TokenHash
    private let hash: TokenHash

    /// The memory in bytes that a hash takes is 128 · cost · blocks.
    private static let (cost, blocks): (UInt64, UInt64) = (1 << 14, 8)

    /// Hashes a key; `nil` where there is no memory for it.
    init?(of key: String) { self.init(wrapping: TokenHash(of: key)) }

    /// Hashes the plain hash of a key that an earlier release kept.
    init?(wrapping plain: TokenHash) {
        let salt = TokenHash(of: AccessToken().secret.revealed)  // 32 unpredictable bytes
        guard let hash = Self.hash(plain, salt) else { return nil }
        (self.salt, self.hash) = (salt, hash)
    }

    /// Whether a text is the key.
    func fits(_ key: String) -> Bool {
        Self.hash(TokenHash(of: key), salt).map { $0.isSame(as: hash) } ?? false
    }

    private static func hash(_ plain: TokenHash, _ salt: TokenHash) -> TokenHash? {
        let secret = plain.hexadecimal
        var hash = [UInt8](repeating: 0, count: 32)
        let most = 256 * cost * blocks
        guard
            EVP_PBE_scrypt(
                secret, secret.utf8.count, salt.bytes, salt.bytes.count, cost, blocks, 1, most, &hash, hash.count) == 1
        else { return nil }
        return TokenHash(bytes: hash)
    }
}

// MARK: - As a text

extension DeviceKey {
    /// Reads ``text``.
    init?(_ text: String) {
        let parts = text.split(separator: ":")
        guard parts.count == 2, let salt = TokenHash(hexadecimal: String(parts[0])),
            let hash = TokenHash(hexadecimal: String(parts[1]))
        else { return nil }
        (self.salt, self.hash) = (salt, hash)
    }

    /// The salt and the hash in hexadecimal digits.
    var text: String { salt.hexadecimal + ":" + hash.hexadecimal }
}

/// Counts wrong keys, in order to prevent guessing: after some of them a sender waits, longer with each further one.
struct KeyFailureLimiter: Sendable {
    private struct Sender: Hashable {
        let sender: DeviceID
        let id: String
    }

    /// The number of wrong keys without a wait.
    static let free = 5
    /// The first wait, and the longest.
    private static let waits = (first: Duration.seconds(30), longest: Duration.seconds(900))
    /// The most pairs of a sender and an id that are remembered; a sender has at most a hundred ids.
    private static let limit = 10_000

    private var wrong: [Sender: (count: Int, until: Timestamp)] = [:]

    /// Whether a sender has to wait before it tries another key of an id.
    func isLocked(_ id: String, by sender: DeviceID, at now: Timestamp) -> Bool {
        wrong[Sender(sender: sender, id: id)].map { now < $0.until } ?? false
    }

    /// Notes a key that was wrong.
    mutating func note(_ id: String, by sender: DeviceID, at now: Timestamp) {
        let guesser = Sender(sender: sender, id: id)
        if wrong.count >= Self.limit { wrong = wrong.filter { now < $0.value.until } }
        guard wrong[guesser] != nil || wrong.count < Self.limit else { return }
        let count = (wrong[guesser]?.count ?? 0) + 1
        let wait =
            count < Self.free ? .zero : min(Self.waits.first * (1 << min(count - Self.free, 10)), Self.waits.longest)
        wrong[guesser] = (count, now.advanced(by: wait))
    }

    /// Forgets the wrong keys of a sender that knows the right one.
    mutating func forget(_ id: String, by sender: DeviceID) { wrong[Sender(sender: sender, id: id)] = nil }
}
