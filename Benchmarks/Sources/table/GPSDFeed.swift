import Foundation

/// Speaks gpsd's protocol to one agent and hands it a fix when it is told to.
final class GPSDFeed: @unchecked Sendable {  // one task at a time has it
    let port: Int
    private let listener: Int32
    private var client: Int32 = -1

    init() throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && listen(listener, 1) == 0 ? getsockname(listener, $0, &size) : -1
            }
        }
        guard result == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        port = Int(UInt16(bigEndian: address.sin_port))
    }

    deinit { for descriptor in [listener, client] where descriptor >= 0 { close(descriptor) } }

    /// Waits until an agent watches.
    func awaitAgent() {
        client = accept(listener, nil, nil)
        send(#"{"class":"VERSION","release":"3.25","rev":"3.25","proto_major":3,"proto_minor":15}"#)
        var buffer = [UInt8](repeating: 0, count: 4096)
        precondition(recv(client, &buffer, buffer.count, 0) > 0, "the agent does not watch")
        let device = #"{"class":"DEVICE","path":"/dev/gps0","activated":"2026-01-01T00:00:00.000Z"}"#
        send(#"{"class":"DEVICES","devices":[\#(device)]}"#)
        send(#"{"class":"WATCH","enable":true,"json":true}"#)
    }

    /// A fix at the equator's north, now.
    func sendFix(longitude: Double) {
        let time = Date().formatted(.iso8601.year().month().day().time(includingFractionalSeconds: true))
        send(
            #"{"class":"TPV","device":"/dev/gps0","mode":3,"time":"\#(time)Z","lat":53.55,"lon":\#(longitude),"alt":12.0,"#
                + #""epx":4.0,"epy":4.0,"eph":5.0,"track":90.0,"speed":13.0}"#)
    }

    private func send(_ line: String) {
        let bytes = Array((line + "\r\n").utf8)
        precondition(Foundation.send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count, "nobody reads")
    }
}
