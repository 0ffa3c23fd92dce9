import CMosquitto
import Foundation

/// One subscription, on the only thread there is.
final class Subscriber {
    private let log: Int32
    private let filter: String
    private let pointer: OpaquePointer

    private let confirmationTopic: String?

    init(
        id: String, log: String, filter: String, user: String?, password: String?, authority: String?,
        confirmationTopic: String?
    ) {
        self.filter = filter
        self.confirmationTopic = confirmationTopic
        self.log = open(log, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        mosquitto_lib_init()
        guard self.log >= 0, let pointer = mosquitto_new(id, false, nil) else { exit(70) }
        self.pointer = pointer
        mosquitto_user_data_set(pointer, Unmanaged.passUnretained(self).toOpaque())
        mosquitto_int_option(pointer, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5)
        mosquitto_int_option(pointer, MOSQ_OPT_RECEIVE_MAXIMUM, 65_535)
        if let user { mosquitto_username_pw_set(pointer, user, password) }
        if let authority { mosquitto_tls_set(pointer, authority, nil, nil, nil, nil) }
        installCallbacks()
    }

    private func installCallbacks() {
        mosquitto_connect_v5_callback_set(pointer) { pointer, context, code, _, _ in
            guard code == 0, let context else { return }
            mosquitto_subscribe(pointer, nil, Unmanaged<Subscriber>.fromOpaque(context).takeUnretainedValue().filter, 1)
        }
        mosquitto_subscribe_callback_set(pointer) { _, _, _, _, _ in
            FileHandle.standardOutput.write(Data("subscribed\n".utf8))
        }
        mosquitto_message_v5_callback_set(pointer) { _, context, message, properties in
            guard let context, let message else { return }
            Unmanaged<Subscriber>.fromOpaque(context).takeUnretainedValue().note(message.pointee, properties)
        }
    }

    /// Connects and reads until the process is ended from outside.
    func run(host: String, port: Int32) {
        var properties: OpaquePointer?
        mosquitto_property_add_int32(&properties, Int32(MQTT_PROP_SESSION_EXPIRY_INTERVAL.rawValue), 3600)
        while true {
            var code = mosquitto_connect_bind_v5(pointer, host, port, 60, nil, properties)
            while code == MOSQ_ERR_SUCCESS.rawValue { code = mosquitto_loop(pointer, 1000, 1) }
            usleep(20_000)  // the broker is not there: nothing tells when it is
        }
    }

    private func note(_ message: mosquitto_message, _ properties: OpaquePointer?) {
        let payload = Data(
            bytes: message.payload ?? UnsafeMutableRawPointer(bitPattern: 1)!, count: Int(message.payloadlen))
        var line: [String: Any] = [
            "topic": message.topic.map { String(cString: $0) } ?? "",
            "payload": String(decoding: payload, as: UTF8.self),
            "qos": message.qos,
            "retain": message.retain,
        ]
        if let text = contentType(properties) { line["contentType"] = text }
        line["properties"] = userProperties(properties)
        guard var bytes = try? JSONSerialization.data(withJSONObject: line, options: [.sortedKeys]) else { exit(70) }
        bytes.append(UInt8(ascii: "\n"))
        let written = bytes.withUnsafeBytes { write(log, $0.baseAddress, $0.count) }
        if written != bytes.count { exit(74) }
        confirm(String(decoding: payload, as: UTF8.self))
    }

    /// Confirms the records whose ids a payload holds.
    private func confirm(_ payload: String) {
        guard let confirmationTopic else { return }
        let ids = payload.matches(of: /[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}/).map { "\"\($0.output.0)\"" }
        let text = "[" + ids.joined(separator: ",") + "]"
        mosquitto_publish(pointer, nil, confirmationTopic, Int32(text.utf8.count), text, 1, false)
    }

    private func contentType(_ properties: OpaquePointer?) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        mosquitto_property_read_string(properties, Int32(MQTT_PROP_CONTENT_TYPE.rawValue), &text, false)
        defer { free(text) }
        return text.map { String(cString: $0) }
    }

    private func userProperties(_ properties: OpaquePointer?) -> [[String]] {
        var pairs: [[String]] = []
        var (name, value): (UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<CChar>?) = (nil, nil)
        let identifier = Int32(MQTT_PROP_USER_PROPERTY.rawValue)
        var next = mosquitto_property_read_string_pair(properties, identifier, &name, &value, false)
        while let current = next {
            if let name, let value { pairs.append([String(cString: name), String(cString: value)]) }
            free(name)
            free(value)
            (name, value) = (nil, nil)
            next = mosquitto_property_read_string_pair(current, identifier, &name, &value, true)
        }
        return pairs
    }
}
