internal import Glibc
internal import TrackEngine

/// A socket address in the system's form.
struct SocketAddress: Sendable {
    var storage: sockaddr_storage
    var length: socklen_t

    var family: Int32 { Int32(storage.ss_family) }
}

/// Finds the addresses of a host without ever blocking its caller.
///
/// `getaddrinfo` has no deadline and cannot be interrupted, so it runs on a thread of its own that may be abandoned.
/// There is never more than one such thread: a caller joins a lookup that is still running.
final class Resolver: Sendable {
    /// The result of a lookup.
    enum Result: Sendable {
        case addresses([SocketAddress])
        case failure(String)
    }

    private enum State {
        /// No lookup is under way; `lookup` starts one.
        case idle
        /// A thread runs the lookup; these wake-ups are used at its end.
        case asking([WakePipe])
        /// The result is available; taking it leads back to `idle`.
        case answered(Result)
    }

    private let host: String
    private let port: UInt16
    private let state = SystemMutex(State.idle)

    init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// Takes the result. If there is none yet, ensures that a lookup is running and uses `wakeup` at its end, and
    /// returns `nil`.
    func take(waking wakeup: WakePipe) throws(GPSDError) -> Result? {
        if let known = Self.ask(host, port, flags: AI_NUMERICHOST), case .addresses = known { return known }
        let (answer, mustStart) = state.withLock { state -> (Result?, Bool) in
            switch state {
            case .idle:
                state = .asking([wakeup])
                return (nil, true)
            case .asking(let waiting):
                state = .asking(waiting.contains { $0 === wakeup } ? waiting : waiting + [wakeup])
                return (nil, false)
            case .answered(let answer):
                state = .idle
                return (answer, false)
            }
        }
        if mustStart { try startThread() }
        return answer
    }

    private func startThread() throws(GPSDError) {
        do throws(SystemError) {
            try SystemThread.start { [self] in
                finish(Self.ask(host, port, flags: 0) ?? .failure("the name has no address"))
            }
        } catch {
            state.withLock { $0 = .idle }
            throw GPSDError(error)
        }
    }

    private func finish(_ answer: Result) {
        let waiting = state.withLock { state -> [WakePipe] in
            defer { state = .answered(answer) }
            guard case .asking(let waiting) = state else { return [] }
            return waiting
        }
        for wakeup in waiting { wakeup.wake() }
    }

    /// Blocks, except with `AI_NUMERICHOST`, which only parses digits.
    private static func ask(_ host: String, _ port: UInt16, flags: Int32) -> Result? {
        var hints = addrinfo()
        hints.ai_flags = flags | AI_NUMERICSERV
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, String(port), &hints, &list)
        guard code == 0 else { return .failure(String(cString: gai_strerror(code)).lowercased()) }
        defer { freeaddrinfo(list) }
        var addresses: [SocketAddress] = []
        var entry = list
        while let current = entry {
            if let address = SocketAddress(current.pointee) { addresses.append(address) }
            entry = current.pointee.ai_next
        }
        return addresses.isEmpty ? nil : .addresses(addresses)
    }
}

extension SocketAddress {
    fileprivate init?(_ info: addrinfo) {
        guard let source = info.ai_addr, Int(info.ai_addrlen) <= MemoryLayout<sockaddr_storage>.size else { return nil }
        storage = sockaddr_storage()
        length = info.ai_addrlen
        withUnsafeMutableBytes(of: &storage) { target in
            target.copyMemory(from: UnsafeRawBufferPointer(start: source, count: Int(info.ai_addrlen)))
        }
    }
}
