import Foundation
import Spawning
import Synchronization

/// A real program that a test starts and ends by its own pid.
///
/// Not Foundation's `Process`, which looks after all its children on one thread and is not safe when many are started,
/// waited for and killed at the same time. Here each child is waited for by its own pid, under a lock.
package final class ChildProcess: Sendable {
    private enum State {
        /// Started and not yet waited for: the pid is this child's, even if it has ended.
        case running
        /// Waited for: the pid may be anybody's. The exit code, or the signal's number negated.
        case ended(Int32)
    }

    package let pid: Int32
    private let executable: String
    private let state = Mutex(State.running)
    private let output: ChildOutput

    /// Starts a program; its standard output and standard error are collected.
    package init(
        _ executable: String, _ arguments: [String] = [], environment: [String: String] = [:],
        directory: String? = nil
    ) throws {
        let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }.map { "\($0)=\($1)" }
        var argv = ([executable] + arguments).map { strdup($0) } + [nil]
        var envp = variables.map { strdup($0) } + [nil]
        defer { for text in argv + envp { free(text) } }
        var pid: pid_t = 0
        let descriptor = spawning_start(&argv, &envp, directory, &pid)
        guard descriptor >= 0 else {
            throw ReceiverError(description: "\(executable): \(String(cString: strerror(-descriptor)))")
        }
        self.pid = pid
        self.executable = executable
        output = ChildOutput(descriptor)
        output.collect()
    }

    deinit {
        killNow()
    }

    /// Everything the program has printed so far.
    package var text: String { output.text }

    package var isRunning: Bool { exitCode == nil }

    /// The exit code, or the signal's number negated; `nil` while the program runs.
    package var exitCode: Int32? { state.withLock { exitCode(&$0) } }

    /// Looks whether it has ended, and takes it from the system's list of children if so.
    private func exitCode(_ state: inout State) -> Int32? {
        switch state {
        case .ended(let code): return code
        case .running:
            var status: Int32 = 0
            let found = waitpid(pid, &status, WNOHANG)
            precondition(found >= 0, "somebody else has waited for the child \(pid)")
            guard found == pid else { return nil }
            // wait(2): the low seven bits are the signal, the next eight the exit code.
            let signal = status & 0x7F
            let code = signal == 0 ? status >> 8 & 0xFF : -signal
            state = .ended(code)
            return code
        }
    }

    /// Sends a signal, unless the program has ended: its pid is not anybody else's before it was waited for.
    package func send(_ signal: Int32) {
        state.withLock { state in
            if exitCode(&state) == nil { kill(pid, signal) }
        }
    }

    /// Waits until the program has ended.
    package func waitUntilExit() {
        while exitCode == nil {
            // Leaves it in the list: it is taken from there under the lock only. Who comes second gets ECHILD at once.
            var info = siginfo_t()
            _ = waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT)
        }
    }

    /// Waits until the program has ended, and ends it when the task is cancelled.
    ///
    /// - Returns: the exit code, or the signal's number negated.
    package func exit() async -> Int32 {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                Thread.detachNewThread { [self] in
                    waitUntilExit()
                    continuation.resume()
                }
            }
        } onCancel: {
            send(SIGKILL)
        }
        return exitCode ?? 0
    }

    /// Waits until the program is ready, which only its port or its output shows; gives up when it ends, or after ten minutes.
    package func ready(when isReady: () -> Bool) async throws {
        let end = ContinuousClock.now.advanced(by: .seconds(600))
        while isRunning, ContinuousClock.now < end {
            if isReady(), isRunning { return }
            try await Task.sleep(for: .milliseconds(5))  // the pace of the looks
        }
        throw ReceiverError(description: "\(executable) did not get ready: \(text)")
    }

    /// Ends the program at once and waits until it is gone.
    package func killNow() {
        send(SIGKILL)
        waitUntilExit()
    }
}

/// What a child prints, read by a thread of its own until nobody can write any more.
private final class ChildOutput: Sendable {
    private let descriptor: Int32
    private let bytes = Mutex<[UInt8]>([])

    /// - Parameter descriptor: the reading end of a pipe, not blocking; closed in the end.
    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Starts the thread.
    func collect() {
        Thread.detachNewThread { [self] in
            var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            repeat { poll(&polled, 1, -1) } while !takeWhatIsThere()
        }
    }

    /// Everything printed so far: also what the thread has not come to.
    var text: String {
        takeWhatIsThere()
        return String(decoding: bytes.withLock { $0 }, as: UTF8.self)
    }

    /// Answers whether that was the end.
    @discardableResult private func takeWhatIsThere() -> Bool {
        bytes.withLock { bytes in
            var chunk = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = read(descriptor, &chunk, chunk.count)
                if count > 0 { bytes += chunk[..<count] } else { return count == 0 }
            }
        }
    }
}
