import CMosquitto
import Glibc

// libmosquitto only receives bytes that the screen has accepted. Without TLS, this code reads the socket and passes
// the bytes on through a pipe. With TLS, OpenSSL shows the next record without consuming it. While libmosquitto
// consumes that record, its source of further records is empty.
extension MosquittoConnection {
    /// The most bytes examined at a time: the largest record of TLS (RFC 8446 section 5.1).
    private static let chunk = 16_384
    /// The most records read before other work has its turn.
    private static let maximumRecords = 64

    /// Examines the received bytes, and lets the library read them if they are accepted.
    func read() throws(MQTTFailure) {
        guard let socket else { throw MQTTFailure(.connectionLost, "the connection was closed") }
        guard let ssl else { return try readPlain(socket) }
        // During the first TLS handshake the library reads no MQTT bytes.
        if SSL_is_init_finished(ssl) == 1 { isSecured = true }
        guard isSecured else { return try readOnce() }
        try readTLS(ssl)
    }

    /// The TLS state of the connection; `nil` without TLS.
    private var ssl: OpaquePointer? { mosquitto_ssl_get(pointer).map { OpaquePointer($0) } }

    /// Lets the library read, several packets per call if it likes. It must not write meanwhile, because its
    /// descriptor may be a pipe.
    private func readOnce() throws(MQTTFailure) {
        mosquitto_threaded_set(pointer, true)  // as if another thread writes: the library's output waits for write()
        defer { mosquitto_threaded_set(pointer, false) }
        // The library goes on reading while errno is not EAGAIN, and checks it after successes, too.
        errno = 0
        try check(mosquitto_loop_read(pointer, 1))
    }

    private func examine(_ bytes: ArraySlice<UInt8>) throws(MQTTFailure) {
        do throws(PacketScreen.Problem) { try screen.examine(bytes) } catch {
            throw .violation(error, version: version, isSecure: ssl != nil)
        }
    }

    /// Reads until no examined byte is left. Each call consumes at least one byte.
    private func readAll(_ count: Int, isLeft: () -> Bool) throws(MQTTFailure) {
        for _ in 0..<count {
            try readOnce()
            guard isLeft() else { return }
        }
        throw MQTTFailure(.system, "libmosquitto does not read the received data")
    }

    // MARK: Without TLS

    private func readPlain(_ socket: Int32) throws(MQTTFailure) {
        var bytes = [UInt8](repeating: 0, count: Self.chunk)
        let count = recv(socket, &bytes, bytes.count, 0)
        guard count > 0 else {
            if count == 0 { throw MQTTFailure(.connectionLost, "the connection was closed") }
            if errno == EAGAIN || errno == EINTR { return }
            throw .system(errno)
        }
        try examine(bytes[..<count])
        let pipe: ReadingPipe
        if let known = self.pipe { pipe = known } else { pipe = try ReadingPipe(for: socket) }
        self.pipe = pipe
        var rest = bytes[..<count]
        while !rest.isEmpty {
            rest = rest.dropFirst(try pipe.put(rest))
            try pipe.takePlace(of: socket)
            // If the library has closed its descriptor, it has closed the pipe's end, and the number may be in use
            // elsewhere.
            defer { if self.socket == socket { pipe.giveBack(socket) } }
            try readAll(count) { self.socket == socket && !pipe.isEmpty }
        }
    }

    // MARK: With TLS

    private func readTLS(_ ssl: OpaquePointer) throws(MQTTFailure) {
        var bytes = [UInt8](repeating: 0, count: Self.chunk)
        for _ in 0..<Self.maximumRecords {
            ERR_clear_error()
            errno = 0
            let count = Int(SSL_peek(ssl, &bytes, Int32(bytes.count)))
            guard count > 0 else { return try lookAt(SSL_get_error(ssl, Int32(count)), errno) }
            guard Int(SSL_pending(ssl)) <= count else { throw MQTTFailure(.tls, "a TLS record is too long") }
            try examine(bytes[..<count])
            try readShown(count, ssl)
            guard self.ssl == ssl else { return }
        }
    }

    /// Lets the library consume the shown record, and no other.
    private func readShown(_ count: Int, _ ssl: OpaquePointer) throws(MQTTFailure) {
        guard let source = SSL_get_rbio(ssl), let empty = emptySource else {
            throw MQTTFailure(.system, "OpenSSL has no memory left")
        }
        BIO_up_ref(source)
        BIO_up_ref(empty)
        SSL_set0_rbio(ssl, empty)
        // If the library has closed the connection, it has released its TLS state, and the empty source with it.
        defer { if self.ssl == ssl { SSL_set0_rbio(ssl, source) } else { BIO_free(source) } }
        try readAll(count) { self.ssl == ssl && SSL_pending(ssl) > 0 }
    }

    /// Throws the reason why no bytes were shown, unless TLS only has to wait.
    private func lookAt(_ code: Int32, _ systemError: Int32) throws(MQTTFailure) {
        switch code {
        case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return
        case SSL_ERROR_ZERO_RETURN: throw MQTTFailure(.connectionLost, "the connection was closed")
        case SSL_ERROR_SYSCALL: throw .system(systemError)
        default:
            var text = [CChar](repeating: 0, count: 256)
            ERR_error_string_n(ERR_peek_error(), &text, text.count)
            ERR_clear_error()
            let reason = text.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
            if reason.contains("unexpected eof") { throw MQTTFailure(.connectionLost, "the connection was closed") }
            throw .library(MOSQ_ERR_TLS.rawValue, errno: 0, logText: "OpenSSL Error: " + reason)
        }
    }
}

extension MQTTFailure {
    /// The failure for a connection that the screen does not let continue.
    static func violation(
        _ violation: PacketScreen.Problem, version: MQTTSink.Configuration.ProtocolVersion, isSecure: Bool
    ) -> MQTTFailure {
        switch violation {
        case .malformed(let what): MQTTFailure(.protocolError, "the broker's reply is not MQTT: \(what)")
        case .tooLarge(let size):
            MQTTFailure(
                .messageTooLarge,
                "a message to this client has \(size) bytes: expected at most \(PacketScreen.maximumMessage)")
        case .refused(let code): ReasonCode.refusal(code)
        case .repliesInTLS:
            MQTTFailure(
                .protocolError,
                isSecure
                    ? "the broker's reply is not MQTT: TLS inside TLS"
                    : "the broker answers in TLS: is this plain MQTT to a port for TLS? Then use mqtts")
        }
    }
}
