import Foundation
import Synchronization
import TestSupport

/// A broker that speaks raw bytes and misbehaves as a test wants: refuses, falls silent, or answers each message by rule.
final class FakeBroker: Sendable {
    /// What it does with a connection.
    enum Manner: Sendable {
        /// Accepts it and never says anything.
        case silent
        /// Closes it once CONNECT has come.
        case hangsUp
        /// Says this in answer to CONNECT, and nothing more.
        case says([UInt8])
        /// Says this in answer to CONNECT, then that it says no more; ends when the client does.
        case recites([UInt8])
        /// Refuses clients that have a last will, with this reason; lets others in and acknowledges everything.
        case takesWithoutWill(refusing: UInt8)
        /// Lets the client in, in its version, and hangs up at the first retained message.
        case takesUnretained
        /// Lets the client in and answers each QoS 1 message by a rule: a reason code, or `nil` for no answer.
        case takes(properties: [UInt8] = [], @Sendable (_ payload: String) -> UInt8?)
    }

    private struct State {
        var manner: Manner
        var payloads: [String] = []
        var connections = 0
        var connects: [ConnectPacket] = []
        var sizes: [Int] = []
        var farewells = 0
        var subscriptions = 0
        var subscriptionAnswer: UInt8? = 1
        var open: Set<Int32> = []
    }

    var port: Int { reserved.number }
    private let reserved: ReservedPort
    private let listener = Mutex<LoopbackListener?>(nil)
    private let state: Mutex<State>

    /// - Parameter port: where it listens; by default on a port of its own.
    init(
        _ manner: Manner, at address: (Int) -> LoopbackSocket.Address = { .ipv4($0) }, port: ReservedPort? = nil
    ) throws {
        state = Mutex(State(manner: manner))
        reserved = try port ?? ReservedPort()
        let started = try LoopbackListener(at: address(reserved.number)) { [self] connection in
            state.withLock { state in
                state.connections += 1
                state.open.insert(connection)
            }
            serve(connection)
            state.withLock { _ = $0.open.remove(connection) }
        }
        listener.withLock { $0 = started }
    }

    /// The payloads of all messages that came, in order.
    var payloads: [String] { state.withLock { $0.payloads } }
    /// The sizes of all packets that came.
    var sizes: [Int] { state.withLock { $0.sizes } }
    /// What clients said when they came.
    var connects: [ConnectPacket] { state.withLock { $0.connects } }
    /// How many clients have said farewell (DISCONNECT).
    var farewells: Int { state.withLock { $0.farewells } }
    /// How many subscriptions were asked for.
    var subscriptions: Int { state.withLock { $0.subscriptions } }
    /// How many connections are open.
    var open: Int { state.withLock { $0.open.count } }
    /// How many clients have connected.
    var connections: Int { state.withLock { $0.connections } }

    /// Behaves otherwise from the next packet on.
    func become(_ manner: Manner) {
        state.withLock { $0.manner = manner }
    }

    /// Answers subscriptions otherwise from the next one on: with a reason code, or not at all.
    func answerSubscriptions(with code: UInt8?) {
        state.withLock { $0.subscriptionAnswer = code }
    }

    /// Hands a message of somebody else's to every client, with quality of service 0.
    func publish(_ payload: String, to topic: String, isRetained: Bool = false) {
        let name = Array(topic.utf8)
        let body = [UInt8(name.count >> 8), UInt8(name.count & 0xFF)] + name + [0] + Array(payload.utf8)
        let length = body.count < 128 ? [body.count] : [body.count & 127 | 128, body.count >> 7]
        say([isRetained ? 0x31 : 0x30] + length.map { UInt8($0) } + body)
    }

    /// Says something that nobody asked for to every client.
    func say(_ bytes: [UInt8]) {
        state.withLock { state in
            for connection in state.open { say(bytes, connection) }
        }
    }

    /// Breaks all connections with a reset.
    func reset() {
        state.withLock { state in
            for descriptor in state.open {
                var linger = linger(l_onoff: 1, l_linger: 0)
                setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
                shutdown(descriptor, Int32(SHUT_RDWR))
            }
        }
    }

    /// Ends everything.
    func stop() {
        listener.withLock { $0?.stop() }
        reset()
    }

    // MARK: Conversations

    private func serve(_ connection: Int32) {
        while let (kind, body) = packet(connection) {
            let manner = state.withLock { state in
                state.sizes.append(body.count)
                if kind >> 4 == 14 { state.farewells += 1 }
                if kind >> 4 == 8 { state.subscriptions += 1 }
                if kind >> 4 == 1, let connect = ConnectPacket(body) { state.connects.append(connect) }
                return state.manner
            }
            switch manner {
            case .silent: continue
            case .hangsUp: return
            case .says(let bytes): if kind >> 4 == 1 { say(bytes, connection) }
            case .recites(let bytes):
                say(bytes, connection)
                shutdown(connection, Int32(SHUT_WR))
            case .takesWithoutWill(let reason):
                if kind >> 4 == 1, ConnectPacket(body)?.hasWill == true {
                    say([0x20, 3, 0, reason, 0], connection)
                } else {
                    answer(kind, body, [], { _ in 0 }, connection)
                }
            case .takesUnretained:
                switch kind >> 4 {
                case 1: say(ConnectPacket(body)?.version == 5 ? [0x20, 3, 0, 0, 0] : [0x20, 2, 0, 0], connection)
                case 3 where kind & 1 == 1: return
                default: answer(kind, body, [], { _ in 0 }, connection)
                }
            case .takes(let properties, let rule): answer(kind, body, properties, rule, connection)
            }
        }
    }

    private func answer(
        _ kind: UInt8, _ body: [UInt8], _ properties: [UInt8], _ rule: (String) -> UInt8?, _ connection: Int32
    ) {
        switch kind >> 4 {
        case 1: say([0x20, UInt8(3 + properties.count), 0, 0, UInt8(properties.count)] + properties, connection)
        case 3:
            let topic = Int(body[0]) << 8 | Int(body[1])
            let (high, low) = (body[2 + topic], body[3 + topic])
            let start = 4 + topic
            let payload = String(decoding: body[(start + 1 + Int(body[start]))...], as: UTF8.self)
            state.withLock { $0.payloads.append(payload) }
            if kind & 6 != 0, let reason = rule(payload) { say([0x40, 3, high, low, reason], connection) }
        case 8:
            guard let code = state.withLock({ $0.subscriptionAnswer }) else { return }
            say([0x90, 4, body[0], body[1], 0, code], connection)
        case 12: say([0xD0, 0], connection)
        default: break
        }
    }

    private func say(_ bytes: [UInt8], _ connection: Int32) {
        _ = send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// The next packet; `nil` at the end of the connection, and for bytes that are none: a length of at most four bytes
    /// (MQTT 5, section 1.5.5) and 1 MiB, so that whoever speaks something else is not taken at their word.
    private func packet(_ connection: Int32) -> (kind: UInt8, body: [UInt8])? {
        guard let kind = read(1, connection)?.first else { return nil }
        var length = 0
        for place in 0..<4 {
            guard let byte = read(1, connection)?.first else { return nil }
            length |= Int(byte & 127) << (7 * place)
            guard byte & 128 != 0 else {
                return length <= 1 << 20 ? read(length, connection).map { (kind, $0) } : nil
            }
        }
        return nil
    }

    private func read(_ count: Int, _ connection: Int32) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let size = bytes.withUnsafeMutableBytes { recv(connection, $0.baseAddress! + done, count - done, 0) }
            guard size > 0 else { return nil }
            done += size
        }
        return bytes
    }
}
