import Foundation
import Synchronization

/// A real program that a test starts and ends by its own pid.
package final class ChildProcess: Sendable {
    private let process: Mutex<Process>
    private let output = Mutex(Data())
    package let pid: Int32

    /// Starts a program; its standard output and standard error are collected.
    package init(
        _ executable: String, _ arguments: [String] = [], environment: [String: String] = [:],
        directory: String? = nil
    ) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: executable)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        if let directory { process.currentDirectoryURL = URL(fileURLWithPath: directory) }
        process.standardInput = FileHandle.nullDevice
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try Self.withoutBlockedSignals { try process.run() }
        pid = process.processIdentifier
        self.process = Mutex(process)
        pipe.fileHandleForReading.readabilityHandler = { [weak self] handle in
            let chunk = handle.availableData
            if chunk.isEmpty { handle.readabilityHandler = nil }
            self?.output.withLock { $0.append(chunk) }
        }
    }

    /// Swift's own threads block signals, and a program inherits that: mosquitto would never hear a SIGTERM.
    private static func withoutBlockedSignals(_ start: () throws -> Void) rethrows {
        var none = sigset_t()
        var before = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        try start()
    }

    deinit {
        process.withLock { if $0.isRunning { kill(pid, SIGKILL) } }
    }

    /// Everything the program has printed so far.
    package var text: String { String(decoding: output.withLock { $0 }, as: UTF8.self) }

    package var isRunning: Bool { process.withLock { $0.isRunning } }

    /// The exit code, or the signal's number negated; `nil` while the program runs.
    package var exitCode: Int32? {
        process.withLock { process in
            guard !process.isRunning else { return nil }
            return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
        }
    }

    package func send(_ signal: Int32) {
        if isRunning { kill(pid, signal) }
    }

    /// Waits until the program has ended.
    package func waitUntilExit() {
        process.withLock { $0.waitUntilExit() }
    }

    /// Ends the program at once and waits until it is gone.
    package func killNow() {
        send(SIGKILL)
        process.withLock { $0.waitUntilExit() }
    }
}
