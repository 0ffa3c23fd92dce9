package import TrackEngine

/// Determines the machine's wireless network through nl80211 (linux/nl80211.h).
///
/// It sends three queries to the kernel: for the number of the family nl80211, for the wireless interfaces with the
/// name of each one's network, and for the stations of one interface. The only station of an interface that is a
/// client is its access point. No query needs a privilege, and none makes the radio act.
package struct WifiQuery {
    /// Sends a query to the kernel.
    package typealias Ask = (NetlinkMessage) throws(SystemError) -> [GenericNetlinkMessage]

    /// Numbers of the family that describes families, by linux/genetlink.h.
    package enum Controller {
        package static let family: UInt16 = 0x10
        package static let getFamily: UInt8 = 3
        static let familyID: UInt16 = 1
        package static let familyName: UInt16 = 2
    }

    /// Numbers of nl80211, by linux/nl80211.h.
    package enum NL80211 {
        package static let name = "nl80211"
        package static let getInterface: UInt8 = 5
        package static let getStation: UInt8 = 17
        package static let interfaceIndex: UInt16 = 3
        package static let interfaceName: UInt16 = 4
        package static let interfaceType: UInt16 = 5
        package static let address: UInt16 = 6
        package static let ssid: UInt16 = 52
        /// The type of an interface that is a client of an access point.
        package static let station: UInt32 = 2
    }

    private let ask: Ask
    private var sequence: UInt32 = 0

    package init(_ ask: @escaping Ask) { self.ask = ask }

    /// The network of an interface, or of the first one that is in a network.
    ///
    /// - Parameter interface: the interface's name; `nil` for any.
    package static func read(interface: String?, _ ask: @escaping Ask) -> WifiReading {
        var query = WifiQuery(ask)
        do throws(SystemError) { return try query.reading(of: interface) } catch {
            return .unreadable("\(error)")
        }
    }

    /// The same, from the kernel of this machine. Blocking, mostly for less than a millisecond.
    package static func read(interface: String?) -> WifiReading {
        do throws(SystemError) {
            let socket = try NetlinkSocket()
            return read(interface: interface) { request throws(SystemError) in try socket.ask(request) }
        } catch {
            return .unreadable("\(error)")
        }
    }

    private mutating func reading(of name: String?) throws(SystemError) -> WifiReading {
        guard let family = try family() else { return .unreadable("the kernel knows no wireless networks here") }
        let all = try dump(family, GenericNetlinkMessage(command: NL80211.getInterface)).compactMap(Interface.init)
        let interfaces = all.filter { name == nil || $0.name == name }
        if let name, interfaces.isEmpty { return .unreadable("there is no wireless interface \(name)") }
        for interface in interfaces where interface.isStation {
            // A name of octets that are not valid UTF-8 is shown as far as possible.
            let ssid = String(decoding: interface.ssid, as: UTF8.self)
            let network = WifiNetwork(ssid: ssid, bssid: accessPoint(family, interface))
            if let network { return .connected(network) }
        }
        return .disconnected
    }

    private mutating func family() throws(SystemError) -> UInt16? {
        let request = GenericNetlinkMessage(
            command: Controller.getFamily, [NetlinkAttribute(Controller.familyName, text: NL80211.name)])
        let flags = NetlinkMessage.Flags.request | NetlinkMessage.Flags.acknowledge
        do throws(SystemError) {
            let replies = try ask(message(Controller.family, flags, request))
            return replies.lazy.compactMap { $0.value(of: Controller.familyID)?.native(at: 0, as: UInt16.self) }.first
        } catch {
            guard error.code == Self.noSuchFamily else { throw error }
            return nil
        }
    }

    /// The access point of an interface; `nil` if the kernel does not report it.
    private mutating func accessPoint(_ family: UInt16, _ interface: Interface) -> BSSID? {
        let request = GenericNetlinkMessage(
            command: NL80211.getStation, [NetlinkAttribute(NL80211.interfaceIndex, number: interface.index)])
        // The network's name is known and sufficient; a value that the driver does not report is absent.
        let stations = try? dump(family, request)
        return stations?.lazy.compactMap { $0.value(of: NL80211.address).flatMap(BSSID.init(octets:)) }.first
    }

    private mutating func dump(
        _ family: UInt16, _ request: GenericNetlinkMessage
    ) throws(SystemError) -> [GenericNetlinkMessage] {
        try ask(message(family, NetlinkMessage.Flags.request | NetlinkMessage.Flags.dump, request))
    }

    private mutating func message(_ type: UInt16, _ flags: UInt16, _ body: GenericNetlinkMessage) -> NetlinkMessage {
        sequence += 1
        return NetlinkMessage(type: type, flags: flags, sequence: sequence, payload: body.payload)
    }

    /// `ENOENT`
    private static let noSuchFamily: Int32 = 2

    /// A wireless interface as the kernel describes it.
    private struct Interface {
        let index: UInt32
        let name: String
        let isStation: Bool
        let ssid: ArraySlice<UInt8>

        init?(_ message: GenericNetlinkMessage) {
            // A wireless device that is no network device has no index.
            guard let index = message.value(of: NL80211.interfaceIndex)?.native(at: 0, as: UInt32.self) else {
                return nil
            }
            self.index = index
            let name = message.value(of: NL80211.interfaceName) ?? []
            self.name = String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
            let type = message.value(of: NL80211.interfaceType)?.native(at: 0, as: UInt32.self)
            isStation = type == NL80211.station
            ssid = message.value(of: NL80211.ssid) ?? []
        }
    }
}

extension BSSID {
    /// An address of six octets; `nil` for another number of octets.
    package init?(octets: ArraySlice<UInt8>) {
        guard octets.count == 6 else { return nil }
        self.init(rawValue: octets.reduce(0) { $0 << 8 | UInt64($1) })
    }
}
