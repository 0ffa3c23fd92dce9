/// The wireless network to which the recording machine is connected.
///
/// It takes one word, and records made in the same network share it.
public struct WifiNetwork: Sendable, Hashable {
    /// The maximum length of a name in bytes of UTF-8: 32 octets by IEEE 802.11, each of which may be invalid UTF-8 and
    /// replaced by U+FFFD.
    public static let nameLimit = 96

    private final class Storage: Sendable {
        let ssid: String
        let bssid: BSSID?

        init(_ ssid: String, _ bssid: BSSID?) {
            self.ssid = ssid
            self.bssid = bssid
        }
    }

    private let storage: Storage

    /// Creates a network; `nil` for a name that is empty or longer than ``nameLimit``.
    ///
    /// - Parameters:
    ///   - ssid: the network's name.
    ///   - bssid: the address of its access point, if known.
    public init?(ssid: String, bssid: BSSID? = nil) {
        guard 1...Self.nameLimit ~= ssid.utf8.count else { return nil }
        storage = Storage(ssid, bssid)
    }

    /// The network's name.
    public var ssid: String { storage.ssid }
    /// The address of its access point; several of them may have the same name.
    public var bssid: BSSID? { storage.bssid }

    /// Whether both are the same network by name and access point.
    public static func == (left: WifiNetwork, right: WifiNetwork) -> Bool {
        left.storage === right.storage || left.ssid == right.ssid && left.bssid == right.bssid
    }

    /// Hashes its name and its access point.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ssid)
        hasher.combine(bssid)
    }
}

/// The address of an access point: six octets, as in `02:00:5e:10:00:01`.
public struct BSSID: Sendable, Hashable, BitwiseCopyable, LosslessStringConvertible {
    /// The address in the low 48 bits, its first octet highest.
    public let rawValue: UInt64

    /// Creates an address from a number of 48 bits; `nil` for a larger one.
    public init?(rawValue: UInt64) {
        guard rawValue >> 48 == 0 else { return nil }
        self.rawValue = rawValue
    }

    /// Reads six octets of two hexadecimal digits with colons or hyphens between them; `nil` for any other text.
    public init?(_ description: String) {
        let octets = description.split(
            separator: description.contains("-") ? "-" : ":", omittingEmptySubsequences: false)
        guard octets.count == 6 else { return nil }
        var number: UInt64 = 0
        for octet in octets {
            guard octet.utf8.count == 2, octet.allSatisfy(\.isHexDigit), let value = UInt8(octet, radix: 16) else {
                return nil
            }
            number = number << 8 | UInt64(value)
        }
        rawValue = number
    }

    /// The octets in lower-case hexadecimal digits with colons between them.
    public var description: String {
        stride(from: 40, through: 0, by: -8).map { shift in
            let octet = String(rawValue >> UInt64(shift) & 0xFF, radix: 16)
            return octet.utf8.count == 1 ? "0" + octet : octet
        }.joined(separator: ":")
    }
}
