import Glibc
import TrackEngine

extension ClientLoop {
    /// Waits for the socket, the wake-up or the next deadline, and lets the library read and write.
    func wait() {
        let handle = currentHandle
        var polled = [
            pollfd(fd: wakeup.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: handle?.socket ?? -1, events: Int16(interest(in: handle)), revents: 0),
        ]
        let count = poll(&polled, 2, timeout)
        if count > 0, polled[0].revents != 0 { wakeup.clear() }
        guard let handle else { return }
        do throws(MQTTFailure) {
            try turn(handle, Int32(polled[1].revents))
        } catch { lost(handle, error) }
    }

    private var currentHandle: MosquittoConnection? {
        switch phase {
        case .handshaking(let handle, _, _): handle
        case .online(let session), .leaving(let session, _): session.handle
        case .idle, .waiting, .starting, .ended: nil
        }
    }

    /// The events to poll for. During the TLS handshake the library always wants to write, although it must read
    /// first, and would keep the processor busy. So it is called again only when bytes have arrived, or from time to
    /// time.
    private func interest(in handle: MosquittoConnection?) -> Int32 {
        guard let handle else { return 0 }
        switch phase {
        case .handshaking(_, isReachable: false, _): return POLLIN | POLLOUT
        case .handshaking where state.settings.configuration.tls != nil: return POLLIN
        case .handshaking, .online, .leaving, .idle, .waiting, .starting, .ended:
            return handle.wantsToWrite ? POLLIN | POLLOUT : POLLIN
        }
    }

    private func turn(_ handle: MosquittoConnection, _ ready: Int32) throws(MQTTFailure) {
        if session?.isOverslept == true {
            throw MQTTFailure(.timedOut, "the broker was silent for longer than the keep-alive")
        }
        switch phase {
        case .handshaking(_, isReachable: false, let deadline):
            guard ready != 0 else { return }
            let code = handle.pendingError
            guard code == 0 else { throw .system(code) }
            phase = .handshaking(handle, isReachable: true, deadline: deadline)
            try handle.write()
        case .handshaking:
            if ready & ~POLLOUT != 0 { try handle.read() }
            if handle.inbox.connectReply == nil { try handle.write() }
            if ready & POLLHUP != 0, handle.inbox.connectReply == nil, handle.hasNothingMore {
                throw MQTTFailure(.connectionLost, "the connection was closed")
            }
        case .online, .leaving, .idle, .waiting, .starting, .ended:
            if ready & ~POLLOUT != 0 {
                try handle.read()
                handle.acknowledgeAtOnce()
            }
            if ready & POLLOUT != 0 { try handle.write() }
        }
        try session?.tick()
    }

    /// Handles a connection that the library has closed. A reason from the broker takes precedence over the
    /// library's error.
    func lost(_ handle: MosquittoConnection, _ failure: MQTTFailure) {
        let inbox = handle.inbox
        if let reply = inbox.connectReply, reply.code != 0 {
            return failed(ReasonCode.refusal(UInt8(truncatingIfNeeded: reply.code)))
        }
        session?.takeLastNews()
        if let ending = inbox.ending, ending >= 0x80 {
            return failed(ReasonCode.ending(UInt8(truncatingIfNeeded: ending)))
        }
        failed(failure)
    }

    /// The time of the next check when no event occurs.
    private var nextDeadline: Duration? {
        switch phase {
        case .idle, .ended: nil
        case .waiting(let until, _): until
        case .starting(_, let deadline): deadline
        case .handshaking(_, isReachable: false, let deadline): deadline
        case .handshaking(_, isReachable: true, let deadline): min(deadline, KernelClock.sinceBoot + .milliseconds(200))
        case .online: KernelClock.sinceBoot + .seconds(1)
        case .leaving(_, let deadline): deadline
        }
    }

    /// The timeout for poll(2); -1 without a deadline.
    private var timeout: Int32 { nextDeadline.map { ($0 - KernelClock.sinceBoot).pollTimeout } ?? -1 }
}

extension MosquittoConnection {
    /// The error with which the socket failed to connect; 0 if it connected.
    fileprivate var pendingError: Int32 {
        guard let socket else { return ENOTCONN }
        var code: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(socket, SOL_SOCKET, SO_ERROR, &code, &length) == 0 else { return errno }
        return code
    }

    /// Whether the connection is closed and all received bytes were read.
    ///
    /// In the TLS handshake libmosquitto 2.0.11 treats a failed write as one that has to wait. It does not close the
    /// connection then, and would be called again without a pause until the connect timeout is over.
    fileprivate var hasNothingMore: Bool {
        guard let socket else { return true }
        var byte: UInt8 = 0
        let count = recv(socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT))
        return count == 0 || count < 0 && errno != EAGAIN && errno != EINTR
    }
}
