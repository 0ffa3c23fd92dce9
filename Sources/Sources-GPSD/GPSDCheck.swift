internal import GPSDProtocol
internal import TrackEngine

/// Checks whether gpsd answers on this machine, for an agent without configured sources.
package enum GPSDCheck {
    /// The timeout for connecting and, separately, for the greeting.
    private static let patience = Duration.seconds(1)

    /// Whether a server at a port of 127.0.0.1 identifies itself as gpsd, with VERSION as its first message.
    ///
    /// Takes two seconds at most; returns `false` at once if the task is cancelled.
    package static func answers(port: UInt16) async -> Bool {
        // Without free descriptors the check is impossible; the next code that needs one reports the problem.
        guard let control = try? ReaderControl(demand: .continuous) else { return false }
        return await withTaskCancellationHandler {
            // Without a free thread, too.
            (try? await SystemThread.run { introducesItself(port, control) }) ?? false
        } onCancel: {
            control.stop()
        }
    }

    private static func introducesItself(_ port: UInt16, _ control: ReaderControl) -> Bool {
        let resolver = Resolver(host: "127.0.0.1", port: port)
        do {
            switch try HostConnection(resolver: resolver, control: control, timeout: patience).connect() {
            case .connected(let socket): return readsGreeting(of: socket, control)
            case .failed: return false
            case .stopped: return false
            }
        } catch {
            return false  // no thread for a name lookup, which an address does not need
        }
    }

    private static func readsGreeting(of socket: borrowing Socket, _ control: ReaderControl) -> Bool {
        let deadline = control.now + patience
        var splitter = GPSDLineSplitter()
        var chunk = [UInt8](repeating: 0, count: 4096)
        while !control.isStopping, control.now < deadline {
            guard case .ready = control.wait(for: socket.descriptor, until: deadline) else { continue }
            switch socket.read(into: &chunk) {
            case .nothing: continue
            case .ended: return false
            case .bytes(let count):
                var pieces: [GPSDLineSplitter.Part] = []
                splitter.append(chunk[..<count]) { pieces.append($0) }
                if let first = pieces.first { return isGreeting(first) }
            }
        }
        return false
    }

    private static func isGreeting(_ piece: GPSDLineSplitter.Part) -> Bool {
        guard case .line(let line) = piece else { return false }
        var decoder = ReportDecoder()
        // gpsd never sends malformed lines.
        guard case .version = try? decoder.decode(line.span) else { return false }
        return true
    }
}
