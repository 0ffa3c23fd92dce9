package import TrackEngine

/// The gateways of devices, as the file of a ``GatewayTable`` has them.
///
/// Each entry is read by itself. One that cannot be read is written as `null`: it gives no gateway a right, and does
/// not count as absent.
struct GatewayList: Sendable, Hashable {
    /// In place of a gateway's name: more than one gateway has sent for the device. It is no gateway's name.
    static let several: DeviceID = ""

    /// The gateway of each device, or ``several``.
    private(set) var gateways: [DeviceID: DeviceID] = [:]
    /// The devices that were in the history before any was claimed.
    private var earlier: Set<DeviceID>
    /// The devices with an entry that cannot be read.
    private(set) var unread: Set<DeviceID> = []
    /// Whether a part of the names in `earlier` cannot be read.
    private var lacksEarlier = false

    /// An empty list next to a history with devices.
    init(beside devices: Set<DeviceID>) { earlier = devices }

    /// A list of which nothing can be read.
    init(unreadableBeside devices: Set<DeviceID>) { (earlier, unread, lacksEarlier) = ([], devices, true) }

    /// Whether an entry cannot be read.
    var isIncomplete: Bool { !unread.isEmpty || lacksEarlier }

    /// Gives names to a sender (see ``GatewayTable/claim(_:by:in:isAlone:isSender:)``).
    ///
    /// - Parameter limit: the most devices of one gateway.
    mutating func claim(
        _ names: some Collection<DeviceID>, by sender: DeviceID, isAlone: Bool, limit: Int,
        isSender: (DeviceID) -> Bool
    ) -> GatewayOutcome {
        var claim = GatewayOutcome()
        var room = limit - gateways.values.count { $0 == sender }
        for name in names {
            let gateway = gateways[name]
            let isUnread = unread.contains(name)
            if name == sender {
                note(nil, of: name)
            } else if gateway == sender || gateway == Self.several {
                // It is allowed already.
            } else if isUnread && !isAlone && !earlier.contains(name) {
                claim.unknown.insert(name)
                continue
            } else if isUnread && !isAlone {
                note(Self.several, of: name)
            } else if gateway.map({ !isSender($0) }) ?? true {
                guard room > 0 else { continue }
                note(sender, of: name)
                room -= 1
            } else if earlier.contains(name) {
                note(Self.several, of: name)
            } else {
                if lacksEarlier { claim.unknown.insert(name) }
                continue
            }
            claim.allowed.insert(name)
        }
        return claim
    }

    private mutating func note(_ gateway: DeviceID?, of device: DeviceID) {
        gateways[device] = gateway
        unread.remove(device)
    }
}

/// The names of a request that its sender may write under.
package struct GatewayOutcome: Sendable, Hashable {
    /// The names that are the sender's.
    package var allowed: Set<DeviceID>
    /// The names of which it is unknown, because an entry cannot be read.
    package var unknown: Set<DeviceID>

    package init(allowed: Set<DeviceID> = [], unknown: Set<DeviceID> = []) {
        (self.allowed, self.unknown) = (allowed, unknown)
    }
}

// MARK: - JSON

extension GatewayList {
    /// Reads the entries of devices; those of others are left out.
    ///
    /// - Returns: the list, and the expectation that a part of the text does not meet, other than a `null` that this
    ///   program has written.
    static func read(_ json: [UInt8], of devices: Set<DeviceID>) -> (list: GatewayList, expectation: String?) {
        var list = GatewayList(beside: [])
        let bytes = json.span
        var cursor = JSONReader()
        var isWhole = false
        var expectation: String?
        cursor.beginObject(bytes)
        while let name = cursor.nextName(bytes) {
            let member = bytes.extracting(name)
            if member.equals("devices"), cursor.peek(bytes) == UInt8(ascii: "{") {
                isWhole = list.readDevices(&cursor, bytes, devices, &expectation)
            } else if member.equals("earlier"), cursor.peek(bytes) == UInt8(ascii: "[") {
                list.readEarlier(&cursor, bytes, devices, &expectation)
            } else {
                if member.equals("earlier") { (list.lacksEarlier, expectation) = (true, "a list 'earlier'") }
                cursor.moveBehindElement(bytes)
            }
        }
        guard !cursor.isAtEnd(bytes) || !isWhole else { return (list, expectation) }
        // The others may be in the part that cannot be read.
        list.unread.formUnion(devices.subtracting(list.gateways.keys))
        list.lacksEarlier = true
        return (list, "an object with 'devices'")
    }

    /// Returns whether all names can be read.
    private mutating func readDevices(
        _ cursor: inout JSONReader, _ bytes: Span<UInt8>, _ devices: Set<DeviceID>, _ expectation: inout String?
    ) -> Bool {
        var isWhole = true
        var known: Set<DeviceID> = []
        cursor.beginObject(bytes)
        while let name = cursor.nextName(bytes) {
            let text = cursor.hasEscapes ? JSONReader.unescaped(bytes.extracting(name)) : bytes.text(in: name)
            let device = Self.device(text, writtenAs: bytes.copied(name))
            let value = Self.value(&cursor, bytes)
            if device == nil { isWhole = false }
            guard let device, devices.contains(device), cursor.isSound else { continue }
            // Of two entries, either may be the damaged one.
            note(known.insert(device).inserted ? value?.name : nil, of: device)
            guard gateways[device] == nil else { continue }
            unread.insert(device)
            if value?.json != .null { expectation = "one gateway's name for each device" }
        }
        return isWhole && cursor.isSound
    }

    private mutating func readEarlier(
        _ cursor: inout JSONReader, _ bytes: Span<UInt8>, _ devices: Set<DeviceID>, _ expectation: inout String?
    ) {
        cursor.beginArray(bytes)
        while cursor.nextElement(bytes) {
            let value = Self.value(&cursor, bytes)
            if let name = value?.name {
                if devices.contains(name) { earlier.insert(name) }
            } else {
                lacksEarlier = true
                if value?.json != .null { expectation = "a device's name in each element of 'earlier'" }
            }
        }
    }

    /// The next value, and the name that it is; `nil` if it is no JSON or not UTF-8, which does not affect the values
    /// after it.
    private static func value(_ cursor: inout JSONReader, _ bytes: Span<UInt8>) -> (json: JSONValue, name: DeviceID?)? {
        _ = cursor.peek(bytes)  // moves behind white space
        let start = cursor.offset
        cursor.moveBehindElement(bytes)
        let value = bytes.copied(start..<cursor.offset)
        guard let text = String(validating: value, as: UTF8.self), let json = JSONValue(ifReadable: text.utf8) else {
            return nil
        }
        return (json, json.string.flatMap { device($0, writtenAs: value) })
    }

    /// The device with a name; `nil` for a text that this program does not write: with bytes that are no text, with half
    /// of a character, which is read as U+FFFD, or with U+0000.
    private static func device(_ name: String, writtenAs bytes: [UInt8]) -> DeviceID? {
        guard let written = String(validating: bytes, as: UTF8.self), !name.utf8.contains(0) else { return nil }
        func replacements(_ text: String) -> Int { text.unicodeScalars.count { $0 == "\u{FFFD}" } }
        return replacements(name) > replacements(written) ? nil : DeviceID(rawValue: name)
    }

    /// The text of the file.
    var json: [UInt8] {
        var devices = gateways.mapValues { JSONValue.string($0.rawValue) }
        for device in unread { devices[device] = .null }
        let members = devices.sorted { $0.key.rawValue < $1.key.rawValue }.map { device, gateway in
            JSONValue.Member(device.rawValue, gateway)
        }
        let names = earlier.map(\.rawValue).sorted().map { JSONValue.string($0) } + (lacksEarlier ? [.null] : [])
        return JSONValue.object([.init("devices", .object(members)), .init("earlier", .array(names))]).bytes
    }
}
