internal import Glibc

/// Connects to the first address of a host that accepts a connection, within one deadline for all steps.
struct HostConnection {
    /// The result of an attempt.
    enum Outcome: ~Copyable {
        case connected(Socket)
        case failed(String)
        case stopped
    }

    let resolver: Resolver
    let control: ReaderControl
    let timeout: Duration

    /// Resolves and connects, blocking the calling thread; a stop interrupts it at any point.
    func connect() throws(GPSDError) -> Outcome {
        let deadline = control.now + timeout
        let addresses: [SocketAddress]
        switch try resolve(until: deadline) {
        case nil: return control.isStopping ? .stopped : .failed("the name lookup did not answer in time")
        case .failure(let reason): return .failed(reason)
        case .addresses(let found): addresses = found
        }
        var reason = "the name has no address"
        for (index, address) in addresses.enumerated() {
            // An address that drops packets must not use up the time of the addresses after it.
            let share = (deadline - control.now) / (addresses.count - index)
            switch connect(to: address, until: control.now + share) {
            case .connected(let socket): return .connected(socket)
            case .failed(let why): reason = why
            case .stopped: return .stopped
            }
        }
        return .failed(reason)
    }

    private func resolve(until deadline: Duration) throws(GPSDError) -> Resolver.Result? {
        while !control.isStopping {
            if let answer = try resolver.take(waking: control.wakeup) { return answer }
            guard control.now < deadline else { return nil }
            _ = control.wait(until: deadline)
        }
        return nil
    }

    private func connect(to address: SocketAddress, until deadline: Duration) -> Outcome {
        guard let socket = Socket(family: address.family) else { return .failed(GPSDError.reason(errno)) }
        var code = socket.connect(to: address)
        while code == EINPROGRESS {
            guard !control.isStopping else { return .stopped }
            guard control.now < deadline else { return .failed(GPSDError.reason(ETIMEDOUT)) }
            if case .ready = control.wait(for: socket.descriptor, POLLOUT, until: deadline) {
                code = socket.connectResult()
            }
        }
        return code == 0 ? .connected(socket) : .failed(GPSDError.reason(code))
    }
}
