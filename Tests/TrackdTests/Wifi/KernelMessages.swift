import TrackEngine
import TrackEngineAgent

/// A kernel that tells of wireless networks, in messages packed by hand after linux/netlink.h and linux/nl80211.h.
struct KernelMessages {
    typealias NL80211 = WifiQuery.NL80211

    /// A wireless interface.
    struct Interface {
        var index: UInt32
        var name: String
        var type = NL80211.station
        var ssid: [UInt8]?
        /// The address of its access point.
        var station: [UInt8]?
    }

    /// The number that nl80211 has; kernels give another one at each boot.
    static let family: UInt16 = 0x1d

    var interfaces: [Interface]
    /// Whether nl80211 is there.
    var hasFamily = true

    /// What it sends to a request, a datagram each.
    func datagrams(for request: NetlinkMessage) -> [[UInt8]] {
        guard let asked = GenericNetlinkMessage(payload: request.payload) else { return [] }
        let answer: [GenericNetlinkMessage]
        switch (request.type, asked.command) {
        case (WifiQuery.Controller.family, WifiQuery.Controller.getFamily):
            guard hasFamily else { return [Self.end(request, error: -2)] }
            answer = [
                GenericNetlinkMessage(command: 1, [NetlinkAttribute(2, text: "nl80211"), Self.short(1, Self.family)])
            ]
        case (Self.family, NL80211.getInterface):
            answer = interfaces.map(Self.told)
        case (Self.family, NL80211.getStation):
            let index = asked.value(of: NL80211.interfaceIndex)?.native(at: 0, as: UInt32.self)
            answer = interfaces.filter { $0.index == index }.compactMap { interface in
                interface.station.map {
                    GenericNetlinkMessage(command: 19, [NetlinkAttribute(NL80211.address, $0[...])])
                }
            }
        case _: return [Self.end(request, error: -95)]
        }
        return answer.map { Self.message(request, type: Self.family, $0.payload) } + [Self.end(request, error: 0)]
    }

    private static func told(_ interface: Interface) -> GenericNetlinkMessage {
        var attributes = [
            NetlinkAttribute(NL80211.interfaceIndex, number: interface.index),
            NetlinkAttribute(NL80211.interfaceName, text: interface.name),
            NetlinkAttribute(NL80211.interfaceType, number: interface.type),
            NetlinkAttribute(NL80211.address, [2, 0, 0, 0, 0, 9]),
        ]
        if let ssid = interface.ssid { attributes.append(NetlinkAttribute(NL80211.ssid, ssid[...])) }
        return GenericNetlinkMessage(command: 7, attributes)
    }

    private static func short(_ type: UInt16, _ number: UInt16) -> NetlinkAttribute {
        NetlinkAttribute(type, withUnsafeBytes(of: number) { Array($0)[...] })
    }

    private static func message(_ request: NetlinkMessage, type: UInt16, _ payload: [UInt8]) -> [UInt8] {
        NetlinkMessage(type: type, flags: 2, sequence: request.sequence, payload: payload).bytes
    }

    /// The end of a dump, or the acknowledgement of what is none.
    private static func end(_ request: NetlinkMessage, error: Int32) -> [UInt8] {
        let isDump = request.flags & NetlinkMessage.Flags.dump == NetlinkMessage.Flags.dump
        let type = isDump && error == 0 ? NetlinkMessage.Control.done : NetlinkMessage.Control.error
        return message(request, type: type, withUnsafeBytes(of: error) { Array($0) })
    }

    /// Answers as a socket does.
    func ask(_ request: NetlinkMessage) throws(SystemError) -> [GenericNetlinkMessage] {
        var reply = NetlinkReply(to: request.sequence)
        for datagram in datagrams(for: request) { try reply.take(datagram) }
        return reply.messages
    }

    func reading(of interface: String? = nil) -> WifiReading {
        WifiQuery.read(interface: interface) { request throws(SystemError) in try ask(request) }
    }
}
