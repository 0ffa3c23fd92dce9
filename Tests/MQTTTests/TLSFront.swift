import CMosquitto
import Foundation
import Synchronization
import TestSupport

/// Speaks TLS in front of a broker that does not: what clients say is passed on in the clear, and back.
final class TLSFront: Sendable {
    var port: Int { reserved.number }
    private let reserved: ReservedPort
    private let listener: Int32
    private let backend: Int
    private let context: SSLContext

    /// OpenSSL counts the context's users itself (SSL_CTX_new(3)).
    private struct SSLContext: @unchecked Sendable {
        let pointer: OpaquePointer
    }

    /// - Parameters:
    ///   - files: its certificate and key.
    ///   - backend: the port of the broker behind it.
    init(_ files: (certificate: String, key: String), before backend: Int) throws {
        guard let pointer = SSL_CTX_new(TLS_server_method()),
            SSL_CTX_use_certificate_chain_file(pointer, files.certificate) == 1,
            SSL_CTX_use_PrivateKey_file(pointer, files.key, SSL_FILETYPE_PEM) == 1
        else { throw CocoaError(.fileReadUnknown) }
        context = SSLContext(pointer: pointer)
        self.backend = backend
        reserved = try ReservedPort()
        listener = try LoopbackSocket.listen(at: .ipv4(reserved.number), backlog: 16)
        Thread.detachNewThread { [self] in acceptAll() }
    }

    /// Accepts nobody from now on; connections end when one of their sides does.
    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
    }

    private func acceptAll() {
        while true {
            let client = accept(listener, nil, nil)
            guard client >= 0 else { break }
            Thread.detachNewThread { [self] in
                serve(client)
                close(client)
            }
        }
        close(listener)
    }

    private func serve(_ client: Int32) {
        guard let ssl = SSL_new(context.pointer) else { return }
        defer { SSL_free(ssl) }
        SSL_set_fd(ssl, client)
        guard SSL_accept(ssl) == 1 else { return }
        let (broker, isConnected) = LoopbackSocket.knock(at: .ipv4(backend))
        defer { close(broker) }
        guard isConnected else { return }
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            var polled = [
                pollfd(fd: client, events: Int16(POLLIN), revents: 0),
                pollfd(fd: broker, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&polled, 2, 60_000) > 0 else { return }
            if polled[0].revents != 0 {
                repeat {
                    let count = SSL_read(ssl, &buffer, Int32(buffer.count))
                    guard count > 0, send(broker, buffer, Int(count), Int32(MSG_NOSIGNAL)) == Int(count) else { return }
                } while SSL_pending(ssl) > 0
            }
            if polled[1].revents != 0 {
                let count = recv(broker, &buffer, buffer.count, 0)
                guard count > 0, SSL_write(ssl, buffer, Int32(count)) > 0 else { return }
            }
        }
    }
}
