import CMosquitto
import Glibc
import TrackEngine

extension MosquittoConnection {
    /// Configures the library for the connection.
    func prepare(_ settings: ConnectionSettings, _ credentials: Credentials) throws(MQTTFailure) {
        let protocolVersion = settings.configuration.protocolVersion == .v5 ? MQTT_PROTOCOL_V5 : MQTT_PROTOCOL_V311
        try check(mosquitto_int_option(pointer, MOSQ_OPT_PROTOCOL_VERSION, protocolVersion))
        try check(mosquitto_int_option(pointer, MOSQ_OPT_TCP_NODELAY, 1))
        inbox.confirmationTopic = settings.configuration.confirm?.topic
        if let username = settings.configuration.username {
            try check(mosquitto_username_pw_set(pointer, username, credentials.password?.revealed))
        }
        if let offline = settings.presence?.offline {
            try check(
                mosquitto_will_set(
                    pointer, offline.topic, Int32(offline.payload.count), offline.payload, 1, offline.isRetained))
        }
        if let tls = settings.configuration.tls { try prepare(tls) }
    }

    /// Configures TLS: at least version 1.2, with full verification and no way to disable it. The library reads the
    /// files when it connects.
    private func prepare(_ tls: MQTTSink.Configuration.TLSOptions) throws(MQTTFailure) {
        let authorities = tls.certificateAuthorityFile ?? ConnectionSettings.systemAuthorities
        // Without this callback OpenSSL prompts for the key's passphrase on the terminal, and waits.
        let code = mosquitto_tls_set(pointer, authorities, nil, tls.certificateFile, tls.keyFile) { _, _, _, _ in 0 }
        guard code == MOSQ_ERR_SUCCESS.rawValue else {
            let files = [authorities, tls.certificateFile, tls.keyFile].compactMap(\.self).joined(separator: ", ")
            throw MQTTFailure(.credentialFile, "cannot read one of the files \(files)")
        }
        try check(mosquitto_tls_opts_set(pointer, 1, "tlsv1.2", nil))
    }

    /// Looks up the name, which may block for long, and begins to connect, which does not.
    func connect(_ configuration: MQTTSink.Configuration, only family: ConnectAttempt.Family) throws(MQTTFailure) {
        if configuration.protocolVersion == .v5 { try remember(connectProperties: configuration) }
        inbox.logText = ""
        // Binding to the unspecified IPv4 address makes the library skip addresses of the other family.
        let bound: String? =
            switch family {
            case .any: nil
            case .ipv4: "0.0.0.0"
            }
        errno = 0
        let code = mosquitto_connect_bind_async(
            pointer, configuration.host, Int32(configuration.effectivePort),
            Int32(configuration.keepAlive.components.seconds), bound)
        try check(code)
    }

    /// Stores the properties of CONNECT in the library.
    ///
    /// Only the blocking call accepts them, and keeps them for later calls (seen with 2.0.11). So that call is made
    /// to fail at once: TCP refuses the broadcast address without sending a packet (tcp(7), ENETUNREACH), and digits
    /// need no lookup. An address to bind to would fail as well, but must not be given: the library would keep it.
    private func remember(connectProperties configuration: MQTTSink.Configuration) throws(MQTTFailure) {
        var properties: OpaquePointer?
        defer { mosquitto_property_free_all(&properties) }
        try check(
            mosquitto_property_add_int32(
                &properties, Int32(MQTT_PROP_SESSION_EXPIRY_INTERVAL.rawValue),
                UInt32(configuration.sessionExpiry.components.seconds)))
        try check(
            mosquitto_property_add_int32(
                &properties, Int32(MQTT_PROP_MAXIMUM_PACKET_SIZE.rawValue), UInt32(PacketScreen.maximumMessage)))
        let keepAlive = Int32(configuration.keepAlive.components.seconds)
        let code = mosquitto_connect_bind_v5(pointer, "255.255.255.255", 1, keepAlive, nil, properties)
        guard code == MOSQ_ERR_ERRNO.rawValue else {
            throw MQTTFailure(.system, "libmosquitto does not take properties for CONNECT: error \(code)")
        }
    }
}
