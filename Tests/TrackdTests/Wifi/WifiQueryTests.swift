import TestSupport
import Testing
import TrackEngine
import TrackEngineAgent

/// What the kernel's messages come to.
@Suite struct WifiQueryTests {
    private let depot = Array("depot".utf8)

    @Test func `the network of a client has its name and its access point's address`() {
        let kernel = KernelMessages(interfaces: [
            .init(index: 3, name: "wlan0", ssid: depot, station: [2, 0, 0x5e, 0x10, 0, 1])
        ])
        #expect(kernel.reading() == .connected(network("depot", "02:00:5e:10:00:01")))
        #expect(kernel.reading(of: "wlan0") == .connected(network("depot", "02:00:5e:10:00:01")))
    }

    @Test func `an access point of the machine's own is no network that it is in`() {
        let kernel = KernelMessages(interfaces: [
            .init(index: 3, name: "ap0", type: 3, ssid: Array("own".utf8)), .init(index: 4, name: "wlan1"),
        ])
        #expect(kernel.reading() == .disconnected)
    }

    @Test func `of several interfaces the one that was asked for is looked at`() {
        let kernel = KernelMessages(interfaces: [
            .init(index: 3, name: "wlan0", ssid: depot), .init(index: 4, name: "wlan1", ssid: Array("yard".utf8)),
        ])
        #expect(kernel.reading() == .connected(network("depot")))
        #expect(kernel.reading(of: "wlan1") == .connected(network("yard")))
        #expect(kernel.reading(of: "wlan2") == .unreadable("there is no wireless interface wlan2"))
    }

    @Test func `an address of another length is none, and octets that are no text are shown as such`() {
        let kernel = KernelMessages(interfaces: [
            .init(index: 3, name: "wlan0", ssid: [0x61, 0xff], station: [1, 2, 3])
        ])
        #expect(kernel.reading() == .connected(network("a\u{FFFD}")))
    }

    @Test func `a kernel without wireless networks is one that cannot be read`() {
        let kernel = KernelMessages(interfaces: [], hasFamily: false)
        #expect(kernel.reading() == .unreadable("the kernel knows no wireless networks here"))
    }

    @Test func `a kernel that refuses says why`() {
        let reading = WifiQuery.read(interface: nil) { _ throws(SystemError) in
            throw SystemError("cannot ask", code: 1)
        }
        #expect(reading == .unreadable("cannot ask: Operation not permitted"))
    }

    @Test(.timeLimit(.minutes(30))) func `this machine's kernel says something, or why it does not`() {
        switch WifiQuery.read(interface: nil) {
        case .connected(let network): #expect(!network.ssid.isEmpty)
        case .disconnected: break
        case .unreadable(let reason): #expect(!reason.isEmpty)
        case .unread: Issue.record("nobody has looked")
        }
    }

    private func network(_ ssid: String, _ bssid: String? = nil) -> WifiNetwork {
        guard let network = WifiNetwork(ssid: ssid, bssid: bssid.flatMap { BSSID($0) }) else {
            preconditionFailure("\(ssid) is no name of a network")
        }
        return network
    }
}
