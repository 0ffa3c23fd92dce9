import CMosquitto
import Foundation
import Synchronization
import TestSupport

/// Speaks TLS in front of a broker that does not: what clients say is passed on in the clear, and back.
final class TLSFront: Sendable {
    var port: Int { reserved.number }
    private let reserved: ReservedPort
    private let listener = Mutex<LoopbackListener?>(nil)
    private let backend: Int
    private let context: SSLContext
    /// Whether it asks each client to shake hands again once that has said something.
    private let renegotiates: Bool
    private let handshakes = Mutex((refused: 0, again: 0))

    /// How many clients refused to shake hands again.
    var refused: Int { handshakes.withLock { $0.refused } }
    /// How many did.
    var again: Int { handshakes.withLock { $0.again } }

    /// OpenSSL counts the context's users itself (SSL_CTX_new(3)).
    private struct SSLContext: @unchecked Sendable {
        let pointer: OpaquePointer
    }

    /// - Parameters:
    ///   - files: its certificate and key.
    ///   - backend: the port of the broker behind it.
    ///   - renegotiates: whether it speaks TLS 1.2 only, which can shake hands again, and asks for it.
    init(_ files: (certificate: String, key: String), before backend: Int, renegotiates: Bool = false) throws {
        guard let pointer = SSL_CTX_new(TLS_server_method()),
            SSL_CTX_use_certificate_chain_file(pointer, files.certificate) == 1,
            SSL_CTX_use_PrivateKey_file(pointer, files.key, SSL_FILETYPE_PEM) == 1
        else { throw CocoaError(.fileReadUnknown) }
        if renegotiates { SSL_CTX_ctrl(pointer, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(TLS1_2_VERSION), nil) }
        context = SSLContext(pointer: pointer)
        self.renegotiates = renegotiates
        self.backend = backend
        reserved = try ReservedPort()
        let started = try LoopbackListener(at: .ipv4(reserved.number)) { [self] in serve($0) }
        listener.withLock { $0 = started }
    }

    /// Accepts nobody from now on; connections end when one of their sides does.
    func stop() {
        listener.withLock { $0?.stop() }
    }

    private func serve(_ client: Int32) {
        guard let ssl = SSL_new(context.pointer) else { return }
        defer { SSL_free(ssl) }
        SSL_set_fd(ssl, client)
        guard SSL_accept(ssl) == 1 else { return }
        guard let broker = LoopbackSocket.connect(to: .ipv4(backend)) else { return }
        defer { close(broker) }
        var buffer = [UInt8](repeating: 0, count: 16_384)
        var hasAsked = false
        while true {
            var polled = [
                pollfd(fd: client, events: Int16(POLLIN), revents: 0),
                pollfd(fd: broker, events: Int16(POLLIN), revents: 0),
            ]
            let ready = poll(&polled, 2, 60_000)
            if ready < 0 && errno == EINTR { continue }
            guard ready > 0 else { return }
            if polled[0].revents != 0 {
                repeat {
                    let count = SSL_read(ssl, &buffer, Int32(buffer.count))
                    guard count > 0, send(broker, buffer, Int(count), Int32(MSG_NOSIGNAL)) == Int(count) else { return }
                } while SSL_pending(ssl) > 0
                if renegotiates, !hasAsked {
                    hasAsked = true
                    askAgain(ssl, client)
                }
            }
            if polled[1].revents != 0 {
                let count = recv(broker, &buffer, buffer.count, 0)
                guard count > 0, SSL_write(ssl, buffer, Int32(count)) > 0 else { return }
            }
        }
    }

    /// Asks the client to shake hands again (RFC 5246 section 7.4.1.1) and waits for what it says to that.
    private func askAgain(_ ssl: OpaquePointer, _ client: Int32) {
        guard SSL_renegotiate(ssl) == 1, SSL_do_handshake(ssl) == 1 else { return }
        let flags = fcntl(client, F_GETFL)
        _ = fcntl(client, F_SETFL, flags | O_NONBLOCK)
        defer { _ = fcntl(client, F_SETFL, flags) }
        var byte: UInt8 = 0
        var polled = pollfd(fd: client, events: Int16(POLLIN), revents: 0)
        while SSL_renegotiate_pending(ssl) == 1, poll(&polled, 1, 60_000) > 0 {
            // To look for data is what makes OpenSSL read the client's part of the handshake.
            let count = SSL_peek(ssl, &byte, 1)
            guard count > 0 || SSL_get_error(ssl, count) == SSL_ERROR_WANT_READ else {
                return handshakes.withLock { $0.refused += 1 }
            }
        }
        if SSL_renegotiate_pending(ssl) == 0 { handshakes.withLock { $0.again += 1 } }
    }
}
