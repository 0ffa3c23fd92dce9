import CMosquitto
import Glibc

extension MosquittoConnection {
    /// Installs callbacks that store all events in the inbox. They run while this thread is inside the library.
    func installCallbacks() {
        mosquitto_connect_v5_callback_set(pointer) { _, context, code, _, properties in
            inboxOf(context)?.connectReply = (code, BrokerLimits(properties))
        }
        mosquitto_publish_v5_callback_set(pointer) { _, context, packet, code, _ in
            inboxOf(context)?.acknowledgements.append((packet, code))
        }
        mosquitto_disconnect_v5_callback_set(pointer) { _, context, code, _ in
            // The library may report an end twice; only the first report has the broker's reason.
            guard let inbox = inboxOf(context), inbox.ending == nil else { return }
            inbox.ending = code
        }
        mosquitto_subscribe_v5_callback_set(pointer) { _, context, packet, count, granted, _ in
            for code in UnsafeBufferPointer(start: granted, count: Int(count)) {
                inboxOf(context)?.subscriptionReplies.append((packet, UInt8(truncatingIfNeeded: code)))
            }
        }
        mosquitto_message_v5_callback_set(pointer) { _, context, message, properties in
            guard let inbox = inboxOf(context), let message,
                let incoming = ReceivedMessage(message.pointee, properties, inbox.confirmationTopic)
            else { return }
            inbox.note(incoming)
        }
        mosquitto_log_callback_set(pointer) { _, context, level, text in
            guard level == MOSQ_LOG_ERR || level == MOSQ_LOG_WARNING, let text else { return }
            inboxOf(context)?.note(String(cString: text))
        }
    }

    /// Records why TLS does not trust the broker's certificate; libmosquitto's log does not contain it.
    func watchCertificate() {
        guard let ssl = mosquitto_ssl_get(pointer).map({ OpaquePointer($0) }) else { return }
        // MQTT does not need renegotiation, and bytes that arrive after one would not be examined.
        SSL_set_options(ssl, Self.noRenegotiation)
        // Index 0 belongs to the application; libmosquitto has requested an index of its own.
        SSL_set_ex_data(ssl, 0, Unmanaged.passUnretained(inbox).toOpaque())
        SSL_set_info_callback(ssl) { ssl, event, _ in
            guard let ssl, event & (SSL_CB_ALERT | SSL_CB_WRITE) == SSL_CB_ALERT | SSL_CB_WRITE else { return }
            inboxOf(SSL_get_ex_data(ssl, 0))?.certificateProblem = SSL_get_verify_result(ssl)
        }
    }

    /// SSL_OP_NO_RENEGOTIATION of <openssl/ssl.h>.
    private static let noRenegotiation: UInt64 = 1 << 30

    /// Stops the library's log: it formats a line for each packet as long as a callback is set.
    func stopCapturingLog() {
        mosquitto_log_callback_set(pointer, nil)
        inbox.logText = ""
    }
}

private func inboxOf(_ context: UnsafeMutableRawPointer?) -> MosquittoInbox? {
    context.map { Unmanaged<MosquittoInbox>.fromOpaque($0).takeUnretainedValue() }
}

extension BrokerLimits {
    /// Reads the properties of a CONNACK; there are none before MQTT 5.
    fileprivate init(_ properties: OpaquePointer?) {
        self.init()
        guard let properties else { return }
        var short: UInt16 = 0
        if mosquitto_property_read_int16(properties, Int32(MQTT_PROP_RECEIVE_MAXIMUM.rawValue), &short, false) != nil {
            receiveMaximum = max(1, Int(short))
        }
        var long: UInt32 = 0
        if mosquitto_property_read_int32(
            properties, Int32(MQTT_PROP_MAXIMUM_PACKET_SIZE.rawValue), &long, false) != nil
        {
            maximumPacketSize = Int(long)
        }
        var byte: UInt8 = 0
        if mosquitto_property_read_byte(properties, Int32(MQTT_PROP_MAXIMUM_QOS.rawValue), &byte, false) != nil {
            maximumQoS = Int(byte)
        }
        if mosquitto_property_read_byte(properties, Int32(MQTT_PROP_RETAIN_AVAILABLE.rawValue), &byte, false) != nil {
            canRetain = byte != 0
        }
    }
}

extension ReceivedMessage {
    /// Copies the message within the limits; `nil` for a message without a topic.
    fileprivate init?(_ message: mosquitto_message, _ properties: OpaquePointer?, _ confirmationTopic: String?) {
        guard let topic = message.topic else { return nil }
        self.init(topic: String(cString: topic), payload: [])
        isRetained = message.retain
        let size = Int(message.payloadlen)
        let limit = self.topic == confirmationTopic ? ConfirmationMessage.maximumPayload : Self.maximumPayload
        isTooLong = size > limit
        if !isTooLong, size > 0, let start = message.payload {
            payload = Array(UnsafeRawBufferPointer(start: start, count: size))
        }
        guard let properties else { return }
        var text: UnsafeMutablePointer<CChar>?
        if mosquitto_property_read_string(properties, Int32(MQTT_PROP_RESPONSE_TOPIC.rawValue), &text, false) != nil,
            let text
        {
            responseTopic = String(cString: text)
            free(text)
        }
        var bytes: UnsafeMutableRawPointer?
        var count: UInt16 = 0
        if mosquitto_property_read_binary(
            properties, Int32(MQTT_PROP_CORRELATION_DATA.rawValue), &bytes, &count, false) != nil, let bytes
        {
            if Int(count) <= Self.maximumCorrelation {
                correlation = Array(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
            }
            free(bytes)
        }
    }
}
