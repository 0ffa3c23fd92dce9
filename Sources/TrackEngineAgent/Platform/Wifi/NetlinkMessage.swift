/// A message of Linux's netlink sockets (netlink(7)): a header of 16 octets and a payload, in the machine's byte order.
package struct NetlinkMessage: Sendable, Hashable {
    /// The size of the header, in octets: length, type, flags, sequence and port (`nlmsghdr` in linux/netlink.h).
    package static let headerSize = 16

    /// Types that have the same meaning in each family, by linux/netlink.h.
    package enum Control {
        /// The payload begins with an error number, negative or 0.
        package static let error: UInt16 = 2
        /// The end of a dump.
        package static let done: UInt16 = 3
    }

    /// Flags of requests, by linux/netlink.h.
    package enum Flags {
        /// Marks a request.
        package static let request: UInt16 = 0x1
        /// Requests an acknowledgement.
        package static let acknowledge: UInt16 = 0x4
        /// Requests all items.
        package static let dump: UInt16 = 0x300
    }

    /// The type of the message; families have their own numbers.
    package var type: UInt16
    package var flags: UInt16
    /// The number of the request that it belongs to.
    package var sequence: UInt32
    /// The bytes after the header.
    package var payload: [UInt8]

    package init(type: UInt16, flags: UInt16, sequence: UInt32, payload: [UInt8]) {
        (self.type, self.flags, self.sequence, self.payload) = (type, flags, sequence, payload)
    }

    /// The message as it is sent, padded to a multiple of four octets.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(native: UInt32(truncatingIfNeeded: Self.headerSize + payload.count))
        bytes.append(native: type)
        bytes.append(native: flags)
        bytes.append(native: sequence)
        bytes.append(native: UInt32(0))  // the sender's port, which the kernel knows
        bytes += payload
        bytes.padToNetlinkAlignment()
        return bytes
    }

    /// The messages of a datagram, up to the first with an impossible length.
    package static func messages(in datagram: [UInt8]) -> [NetlinkMessage] {
        var messages: [NetlinkMessage] = []
        var rest = datagram[...]
        while let length = rest.native(at: 0, as: UInt32.self).map(Int.init), length >= headerSize,
            length <= rest.count, let type = rest.native(at: 4, as: UInt16.self),
            let flags = rest.native(at: 6, as: UInt16.self), let sequence = rest.native(at: 8, as: UInt32.self)
        {
            messages.append(
                NetlinkMessage(
                    type: type, flags: flags, sequence: sequence,
                    payload: Array(rest.prefix(length).dropFirst(headerSize))))
            rest = rest.dropFirst(length.netlinkAligned)
        }
        return messages
    }
}

/// A message of generic netlink: a command, and attributes after a header of four octets (`genlmsghdr` in
/// linux/genetlink.h).
package struct GenericNetlinkMessage: Sendable, Hashable {
    /// The command, in the family's numbering.
    package var command: UInt8
    /// The attributes, in order.
    package var attributes: [NetlinkAttribute]

    package init(command: UInt8, _ attributes: [NetlinkAttribute] = []) {
        (self.command, self.attributes) = (command, attributes)
    }

    /// Reads the payload of a netlink message; `nil` if it is too short for its header.
    package init?(payload: [UInt8]) {
        guard let command = payload.first, payload.count >= 4 else { return nil }
        self.init(command: command, NetlinkAttribute.attributes(in: payload[4...]))
    }

    /// The payload of a netlink message.
    package var payload: [UInt8] { [command, 0, 0, 0] + attributes.flatMap(\.bytes) }

    /// The value of the first attribute of a type.
    package func value(of type: UInt16) -> ArraySlice<UInt8>? { attributes.first { $0.type == type }?.value }
}

/// A value with its type, as netlink's messages carry it (`nlattr` in linux/netlink.h).
package struct NetlinkAttribute: Sendable, Hashable {
    /// The mask of a type without its two flags, for nested values and for network byte order.
    private static let typeMask: UInt16 = 0x3fff
    private static let headerSize = 4

    package let type: UInt16
    package let value: ArraySlice<UInt8>

    package init(_ type: UInt16, _ value: ArraySlice<UInt8>) { (self.type, self.value) = (type & Self.typeMask, value) }

    /// A number of 32 bits.
    package init(_ type: UInt16, number: UInt32) {
        var bytes: [UInt8] = []
        bytes.append(native: number)
        self.init(type, bytes[...])
    }

    /// A text with a zero at its end, as in C.
    package init(_ type: UInt16, text: String) { self.init(type, (Array(text.utf8) + [0])[...]) }

    fileprivate var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(native: UInt16(truncatingIfNeeded: Self.headerSize + value.count))
        bytes.append(native: type)
        bytes += value
        bytes.padToNetlinkAlignment()
        return bytes
    }

    /// Consecutive attributes, up to the first with an impossible length.
    package static func attributes(in bytes: ArraySlice<UInt8>) -> [NetlinkAttribute] {
        var attributes: [NetlinkAttribute] = []
        var rest = bytes
        while let length = rest.native(at: 0, as: UInt16.self).map(Int.init), length >= headerSize,
            length <= rest.count, let type = rest.native(at: 2, as: UInt16.self)
        {
            attributes.append(NetlinkAttribute(type, rest.prefix(length).dropFirst(headerSize)))
            rest = rest.dropFirst(length.netlinkAligned)
        }
        return attributes
    }
}

extension ArraySlice<UInt8> {
    /// The number in the machine's byte order at an offset from the start; `nil` if it does not fit.
    package func native<Number: FixedWidthInteger>(at offset: Int, as type: Number.Type) -> Number? {
        let bytes = dropFirst(offset).prefix(Number.bitWidth / 8)
        guard bytes.count == Number.bitWidth / 8 else { return nil }
        return Number(littleEndian: bytes.reversed().reduce(0) { $0 << 8 | Number($1) })
    }
}

extension [UInt8] {
    fileprivate mutating func append(native number: some FixedWidthInteger) {
        var rest = number.littleEndian
        for _ in 0..<number.bitWidth / 8 {
            append(UInt8(truncatingIfNeeded: rest))
            rest >>= 8
        }
    }

    fileprivate mutating func padToNetlinkAlignment() {
        append(contentsOf: repeatElement(0, count: count.netlinkAligned - count))
    }
}

extension Int {
    /// The next multiple of four.
    fileprivate var netlinkAligned: Int { (self + 3) & ~3 }
}
