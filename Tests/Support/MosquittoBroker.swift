import Foundation
import Synchronization

/// A real broker (Debian's mosquitto) on the loopback interface, whose port stays the same over restarts.
package final class MosquittoBroker: Sendable {
    /// What the broker demands and allows.
    package struct Options: Sendable {
        /// Passwords by user; with any, nobody else gets in.
        package var passwords: [String: String] = [:]
        /// The text of an access list; can be changed with ``MosquittoBroker/setAccess(_:)``.
        package var access: String?
        /// Files for TLS.
        package var tls: ReceiverProcess.TLSFiles?
        /// Whether it saves every change at once, so that a kill loses nothing; slow. Otherwise it saves when stopped.
        package var savesAtOnce = false
        /// Further lines of its configuration.
        package var lines: [String] = []

        package init() {}
    }

    package var port: Int { reserved.number }
    private let reserved: ReservedPort
    private let directory: String
    private let tls: Bool
    private let process: Mutex<ChildProcess>

    /// Starts a broker that keeps its state in a folder, and waits until it listens.
    package init(in directory: String, _ options: Options = Options()) async throws {
        self.directory = directory + "/broker"
        tls = options.tls != nil
        try FileManager.default.createDirectory(atPath: self.directory, withIntermediateDirectories: true)
        try await Self.writePasswords(options.passwords, to: self.directory + "/passwords")
        if let access = options.access {
            try access.write(toFile: self.directory + "/access", atomically: false, encoding: .utf8)
        }
        reserved = try ReservedPort()
        try Self.configuration(options, port: reserved.number, in: self.directory)
            .write(toFile: self.directory + "/mosquitto.conf", atomically: true, encoding: .utf8)
        let started = try Self.launch(in: self.directory)
        process = Mutex(started)
        try await Self.waitUntilItListens(started, reserved.number)
    }

    private static func configuration(_ options: Options, port: Int, in directory: String) -> String {
        var lines = [
            "listener \(port) 127.0.0.1", "allow_anonymous \(options.passwords.isEmpty)", "user \(NSUserName())",
            "persistence true", "persistence_location \(directory)/",
            "max_queued_messages 0", "max_inflight_messages 0", "log_dest stderr", "log_type error",
            "log_type warning", "log_type notice", "sys_interval 0",
        ]
        if options.savesAtOnce { lines += ["autosave_interval 1", "autosave_on_changes true"] }
        if !options.passwords.isEmpty { lines.append("password_file \(directory)/passwords") }
        if options.access != nil { lines.append("acl_file \(directory)/access") }
        if let tls = options.tls {
            lines += ["certfile \(tls.certificate)", "keyfile \(tls.key)"]
            if let authority = tls.clientAuthority { lines += ["cafile \(authority)", "require_certificate true"] }
        }
        return (lines + options.lines).joined(separator: "\n") + "\n"
    }

    private static func writePasswords(_ passwords: [String: String], to file: String) async throws {
        guard !passwords.isEmpty else { return }
        let isMade = FileManager.default.createFile(
            atPath: file, contents: nil, attributes: [.posixPermissions: 0o600])
        guard isMade else { throw ReceiverError(description: "cannot write \(file)") }
        for (user, password) in passwords {
            let process = try ChildProcess("/usr/bin/mosquitto_passwd", ["-b", file, user, password])
            guard await process.exit() == 0 else { throw ReceiverError(description: process.text) }
        }
    }

    private static func launch(in directory: String) throws -> ChildProcess {
        try ChildProcess("/usr/sbin/mosquitto", ["-c", directory + "/mosquitto.conf"])
    }

    private static func waitUntilItListens(_ process: ChildProcess, _ port: Int) async throws {
        try await process.ready { LoopbackSocket.accepts(at: .ipv4(port)) }
    }

    /// Ends the broker as a service manager would, so that it saves what it holds.
    package func stop() {
        process.withLock { process in
            process.send(SIGTERM)
            process.waitUntilExit()
        }
    }

    /// Ends the broker at once, as a crash would, wherever it is; what it had sent before reaches those who read it.
    ///
    /// Mosquitto hands a message on, then acknowledges it and only then saves it. What it has handed on may still wait
    /// in the kernel (Nagle's algorithm), where it would die with the process, and a subscriber whose own acknowledgement
    /// can no longer be sent throws away what it has not read. Both would be the broker's loss, not the publisher's, so
    /// it stands still until everybody has read.
    package func kill() async throws {
        freeze(true)
        let clock = ContinuousClock()
        let end = clock.now.advanced(by: .seconds(600))
        var quiet = 0
        // Twice, because the kernel's list is no snapshot: bytes may move from one line to another that was read before.
        while quiet < 2, clock.now < end {
            quiet = try hasBytesUnderWay() ? 0 : quiet + 1
            try await clock.sleep(for: .milliseconds(1))  // no event tells when another process has read
        }
        process.withLock { $0.killNow() }
    }

    /// Whether the broker's kernel still sends, or a client has not read: the ports of `local_address` and `rem_address`
    /// and the two halves of `tx_queue:rx_queue` of /proc/net/tcp (proc(5)), in hexadecimal.
    private func hasBytesUnderWay() throws -> Bool {
        let broker = ":" + String(format: "%04X", port)
        return try kernelText("/proc/net/tcp").split(separator: "\n").contains { line in
            let fields = line.split(separator: " ")
            guard fields.count > 4 else { return false }
            return fields[1].hasSuffix(broker) && !fields[4].hasPrefix("00000000:")
                || fields[2].hasSuffix(broker) && !fields[4].hasSuffix(":00000000")
        }
    }

    /// A file of the kernel's, whole: Foundation takes the first page for all of it, because its size is said to be 0.
    private func kernelText(_ path: String) throws -> String {
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        var bytes = Data()
        while let next = try file.read(upToCount: 65_536), !next.isEmpty { bytes += next }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Starts it again on the same port, with what it has saved.
    package func restart() async throws {
        process.withLock { $0.killNow() }
        let next = try Self.launch(in: directory)
        process.withLock { $0 = next }
        try await Self.waitUntilItListens(next, port)
    }

    /// Changes the access list while it runs.
    package func setAccess(_ text: String) throws {
        try text.write(toFile: directory + "/access", atomically: false, encoding: .utf8)
        process.withLock { $0.send(SIGHUP) }
    }

    /// What it has printed since its last start.
    package var text: String { process.withLock { $0.text } }

    /// Holds the broker still, or lets it go on: connections stay, and nothing is answered.
    package func freeze(_ isFrozen: Bool) {
        process.withLock { $0.send(isFrozen ? SIGSTOP : SIGCONT) }
    }
}
