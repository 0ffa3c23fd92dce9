import CMosquitto
import Glibc

/// One connection of libmosquitto, from creation to end; never used for a second connection.
///
/// A handle that reconnects sends all unacknowledged messages again, in addition to the sink delivery, which does that
/// too and in the right order. So each connection gets a new handle without messages of an earlier one.
///
/// Sendable by this invariant: one thread at a time uses it. The connecting thread makes it, and does not use it any
/// more once it is in the ``ConnectAttempt``. The lock there orders the later use by the client's thread.
final class MosquittoConnection: @unchecked Sendable {
    let pointer: OpaquePointer
    let inbox = MosquittoInbox()
    let version: MQTTSink.Configuration.ProtocolVersion
    /// Examines received bytes.
    var screen: PacketScreen
    /// Passes on bytes received without TLS, from the first bytes on.
    var pipe: ReadingPipe?
    /// Whether the first TLS handshake is complete: from then on every byte is examined.
    var isSecured = false
    /// An empty source of bytes for TLS.
    let emptySource = BIO_new(BIO_s_mem())

    /// - Throws: if the library does not accept a client of this name.
    init(clientID: String, cleanSession: Bool, version: MQTTSink.Configuration.ProtocolVersion) throws(MQTTFailure) {
        try MosquittoState.start()
        let context = Unmanaged.passUnretained(inbox).toOpaque()
        guard let pointer = mosquitto_new(clientID, cleanSession, context) else {
            throw MQTTFailure(.system, "cannot make a client: error \(errno)")
        }
        self.pointer = pointer
        self.version = version
        screen = PacketScreen(version: version)
        installCallbacks()
    }

    /// Closes the connection, if it is still open, without DISCONNECT. The inbox outlives the callbacks, which end
    /// here.
    deinit {
        mosquitto_destroy(pointer)
        BIO_free(emptySource)
    }

    // MARK: Network loop

    /// The socket to poll; `nil` when there is none.
    var socket: Int32? {
        let descriptor = mosquitto_socket(pointer)
        return descriptor >= 0 ? descriptor : nil
    }

    /// Whether the library has bytes to write.
    var wantsToWrite: Bool { mosquitto_want_write(pointer) }

    /// Makes TCP acknowledge the read bytes to the broker at once (tcp(7), TCP_QUICKACK).
    ///
    /// Mosquitto holds a PUBACK back until TCP has acknowledged the one before (Nagle). This side would delay that
    /// by up to 40 ms at the end of each batch, when it has no bytes to send. Linux resets the option, so it is set
    /// each time.
    func acknowledgeAtOnce() {
        guard let socket else { return }
        var on: Int32 = 1
        _ = setsockopt(socket, Int32(IPPROTO_TCP), TCP_QUICKACK, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Holds small packets back until a segment is full or this is turned off (tcp(7), TCP_CORK).
    func cork(_ isCorked: Bool) {
        guard let socket else { return }
        var value: Int32 = isCorked ? 1 : 0
        _ = setsockopt(socket, Int32(IPPROTO_TCP), TCP_CORK, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Writes the library's waiting bytes.
    func write() throws(MQTTFailure) {
        errno = 0
        try check(mosquitto_loop_write(pointer, 1))
    }

    /// Keeps the connection alive; called about once a second.
    func tick() throws(MQTTFailure) {
        errno = 0
        try check(mosquitto_loop_misc(pointer))
    }

    func check(_ code: Int32) throws(MQTTFailure) {
        guard code != MOSQ_ERR_SUCCESS.rawValue else { return }
        throw .library(code, errno: errno, logText: inbox.logText, certificateProblem: inbox.certificateProblem)
    }

    // MARK: Sending

    /// The reason why a message was not sent.
    enum MessageError: Error {
        /// The message cannot be sent, on this connection or any other like it.
        case message(String)
        /// The connection is broken.
        case connection(MQTTFailure)
    }

    /// Sends a message and returns its packet identifier.
    func publish(_ message: MQTTMessage, qualityOfService: MQTTSink.Configuration.QualityOfService) throws(MessageError)
        -> Int32
    {
        var properties: OpaquePointer?
        defer { mosquitto_property_free_all(&properties) }
        if version == .v5, !message.add(to: &properties) { throw .message("the message's properties are not valid") }
        var packet: Int32 = 0
        errno = 0
        let code = message.payload.withUnsafeBytes { payload in
            mosquitto_publish_v5(
                pointer, &packet, message.topic, Int32(clamping: payload.count), payload.baseAddress,
                Int32(qualityOfService.rawValue), message.isRetained, properties)
        }
        switch code {
        case MOSQ_ERR_SUCCESS.rawValue: return packet
        case MOSQ_ERR_INVAL.rawValue, MOSQ_ERR_MALFORMED_UTF8.rawValue: throw .message("the topic is not valid")
        case MOSQ_ERR_PAYLOAD_SIZE.rawValue, MOSQ_ERR_OVERSIZE_PACKET.rawValue:
            throw .message("the message is too large")
        case MOSQ_ERR_RETAIN_NOT_SUPPORTED.rawValue: throw .message("the broker does not retain messages")
        case MOSQ_ERR_DUPLICATE_PROPERTY.rawValue: throw .message("the message's properties are not valid")
        default: throw .connection(.library(code, errno: errno, logText: ""))
        }
    }

    /// Subscribes to a topic; returns the packet identifier of the request.
    func subscribe(to topic: String) throws(MQTTFailure) -> Int32 {
        var packet: Int32 = 0
        errno = 0
        try check(mosquitto_subscribe_v5(pointer, &packet, topic, 1, 0, nil))
        return packet
    }

    /// Sends DISCONNECT, so the broker does not publish the last will.
    func disconnect() {
        _ = mosquitto_disconnect_v5(pointer, 0, nil)  // the connection ends, even if this fails
        _ = mosquitto_loop_write(pointer, 1)
    }
}

/// The global state of the library.
enum MosquittoState {
    private static let isStarted: Bool = {
        // Never cleaned up: a connection that is blocked in a name lookup may outlive all other users of the
        // library.
        let code = mosquitto_lib_init()
        // A connection that breaks during a write must be an error, not the end of the process. Debian's 2.0.11
        // ignores SIGPIPE itself, later versions do not.
        signal(SIGPIPE, SIG_IGN)
        return code == MOSQ_ERR_SUCCESS.rawValue
    }()

    static func start() throws(MQTTFailure) {
        guard isStarted else { throw MQTTFailure(.system, "libmosquitto does not start") }
    }
}

extension MQTTMessage {
    /// Adds the message's properties to the library's list; returns whether the library accepted all of them.
    fileprivate func add(to properties: inout OpaquePointer?) -> Bool {
        let success = MOSQ_ERR_SUCCESS.rawValue
        if let contentType {
            guard
                mosquitto_property_add_string(&properties, Int32(MQTT_PROP_CONTENT_TYPE.rawValue), contentType)
                    == success
            else { return false }
        }
        if let correlation {
            let added = correlation.withUnsafeBytes { bytes in
                mosquitto_property_add_binary(
                    &properties, Int32(MQTT_PROP_CORRELATION_DATA.rawValue), bytes.baseAddress,
                    UInt16(clamping: bytes.count))
            }
            guard added == success else { return false }
        }
        for property in userProperties {
            let added = mosquitto_property_add_string_pair(
                &properties, Int32(MQTT_PROP_USER_PROPERTY.rawValue), property.name, property.value)
            guard added == success else { return false }
        }
        return true
    }
}
