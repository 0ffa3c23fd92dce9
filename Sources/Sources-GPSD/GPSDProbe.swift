internal import GPSDProtocol
internal import TrackEngine

/// Finds out whether gpsd answers on this machine, for an agent that was not told where its fixes come from.
package enum GPSDProbe {
    /// How long each of connecting and waiting for the greeting may take.
    private static let patience = Duration.seconds(1)

    /// Whether something introduces itself as gpsd, with VERSION as its first message, at a port of 127.0.0.1.
    ///
    /// Takes two seconds at most; a cancelled task is told `false` at once.
    package static func answers(port: UInt16) async -> Bool {
        // Without free descriptors nothing can be asked; whoever needs them next says so.
        guard let control = try? ReaderControl(demand: .continuous) else { return false }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                do {
                    try OSThread.start { continuation.resume(returning: introducesItself(port, control)) }
                } catch {
                    continuation.resume(returning: false)
                }
            }
        } onCancel: {
            control.stop()
        }
    }

    private static func introducesItself(_ port: UInt16, _ control: ReaderControl) -> Bool {
        let resolver = Resolver(host: "127.0.0.1", port: port)
        do {
            switch try Connector(resolver: resolver, control: control, timeout: patience).connect() {
            case .connected(let socket): return readsGreeting(of: socket, control)
            case .failed: return false
            case .stopped: return false
            }
        } catch {
            return false  // the thread for a name lookup is missing, which an address does not need
        }
    }

    private static func readsGreeting(of socket: borrowing Socket, _ control: ReaderControl) -> Bool {
        let deadline = control.now + patience
        var framer = LineFramer()
        var chunk = [UInt8](repeating: 0, count: 4096)
        while !control.isStopping, control.now < deadline {
            guard case .ready = control.wait(for: socket.descriptor, until: deadline) else { continue }
            switch socket.read(into: &chunk) {
            case .nothing: continue
            case .ended: return false
            case .bytes(let count):
                var pieces: [LineFramer.Piece] = []
                framer.append(chunk[..<count]) { pieces.append($0) }
                if let first = pieces.first { return isGreeting(first) }
            }
        }
        return false
    }

    private static func isGreeting(_ piece: LineFramer.Piece) -> Bool {
        guard case .line(let line) = piece else { return false }
        var decoder = ReportDecoder()
        // What is malformed is not gpsd's.
        guard case .version = try? decoder.decode(line.span) else { return false }
        return true
    }
}
