import Foundation
import Synchronization
import TestSupport
import TrackEngine

/// A Miataru server that keeps keys and lists and says where devices are, whose replies a test may spoil or leave out.
final class SharingServer: Sendable {
    /// What is kept of an id.
    struct Device: Sendable {
        /// The key that the server wants.
        var key: String?
        /// The list of those who may see.
        var allowed = "[]"
    }

    /// A call that gets no reply: its connection stays open until the client is gone.
    struct Unanswered: Sendable {
        /// Which of the calls from now on, 0 for the next one.
        var call: Int
        /// Whether it is carried out all the same.
        var isCarriedOut: Bool
    }

    struct State: Sendable {
        var devices: [String: Device] = [:]
        /// Where devices are, by id, as `GetLocation` says it.
        var places: [String: String] = [:]
        /// What the next calls are answered with after they were carried out; an empty reply closes the connection.
        var spoiled: [Int] = []
        /// What the next calls are answered with without being carried out.
        var refused: [Int] = []
        var unanswered: Unanswered?
        /// Whether there is a client that waits for a reply and gets none.
        var isWaiting = false
        var calls: [String] = []
        /// The times of the places that were taken, in seconds since 1970, as they came.
        var taken: [Int] = []

        /// The key that the server wants of the one device that it knows.
        var key: String? { devices.values.first?.key }
    }

    let state = Mutex(State())
    let port: ReservedPort
    private let listener: Mutex<LoopbackListener?> = Mutex(nil)

    init() throws {
        port = try ReservedPort()
        let made = try LoopbackListener(at: .ipv4(port.number)) { [self] in serve($0) }
        listener.withLock { $0 = made }
    }

    func stop() { listener.withLock { $0?.stop() } }

    private func serve(_ connection: Int32) {
        guard let request = HTTPText.request(on: connection) else { return }
        let call = String(request.target.split(separator: "/").last ?? "")
        let reply: (status: Int, body: String)? = state.withLock { state in
            state.calls.append(call)
            if let unanswered = state.unanswered {
                state.unanswered =
                    unanswered.call == 0 ? nil : .init(call: unanswered.call - 1, isCarriedOut: unanswered.isCarriedOut)
                if unanswered.call == 0 {
                    if unanswered.isCarriedOut { _ = carryOut(call, JSONValue(ifReadable: request.body), &state) }
                    state.isWaiting = true
                    return nil
                }
            }
            if !state.refused.isEmpty { return (state.refused.removeFirst(), "{}") }
            let reply = carryOut(call, JSONValue(ifReadable: request.body), &state)
            return state.spoiled.isEmpty ? reply : (state.spoiled.removeFirst(), "{}")
        }
        if let reply {
            HTTPText.reply(reply.status, reply.body, on: connection)
        } else {
            HTTPText.waitForEnd(of: connection)
            state.withLock { $0.isWaiting = false }
        }
    }

    private func carryOut(_ call: String, _ document: JSONValue?, _ state: inout State) -> (Int, String) {
        let acknowledged = #"{"MiataruResponse":"ACK","MiataruDeletedCount":1}"#
        let values = document?["Miataru" + call.prefix(1).uppercased() + call.dropFirst()]
        if call == "UpdateLocation" {
            let places = document?["MiataruLocation"]?.array ?? []
            state.taken += places.compactMap { $0["Timestamp"]?.string.flatMap { Int($0) } }
        }
        if call == "GetLocation" {
            let asked = (values?.array ?? []).compactMap { $0["Device"]?.string }
            let entries = asked.map { state.places[$0] ?? "null" }
            return (200, #"{"MiataruLocation":[\#(entries.joined(separator: ","))]}"#)
        }
        guard let id = values?["DeviceID"]?.string else { return (200, acknowledged) }
        var device = state.devices[id] ?? Device()
        defer { state.devices[id] = device }
        let key = values?[call == "setDeviceKey" ? "CurrentDeviceKey" : "DeviceKey"]?.string
        guard device.key == nil || key == device.key else { return (403, "{}") }
        switch call {
        case "setDeviceKey":
            device.key = values?["NewDeviceKey"]?.string
            return (200, acknowledged)
        case "getAllowedDeviceList":
            return (200, #"{"MiataruAllowedDeviceList":{"allowedDevices":\#(device.allowed)}}"#)
        case "setAllowedDeviceList":
            var writer = JSONWriter()
            (values?["allowedDevices"] ?? .null).write(to: &writer)
            device.allowed = String(decoding: writer.bytes, as: UTF8.self)
            return (200, acknowledged)
        default: return (200, acknowledged)
        }
    }
}
