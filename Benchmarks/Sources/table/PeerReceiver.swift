import Foundation

/// A receiver that somebody else has written and started, to be measured beside ours in the same run.
///
/// The environment names them: `BENCH_RECEIVERS="NAME=http://127.0.0.1:PORT/PATH"`, more behind semicolons. What cannot be
/// committed here, or wants libraries of its own, is measured that way.
struct PeerReceiver {
    let name: String
    let port: Int
    let path: String

    /// Those that the environment names.
    static var all: [PeerReceiver] {
        (ProcessInfo.processInfo.environment["BENCH_RECEIVERS"] ?? "").split(separator: ";").map { text in
            guard let receiver = PeerReceiver(String(text)) else {
                preconditionFailure("BENCH_RECEIVERS: expected NAME=http://127.0.0.1:PORT/PATH, not '\(text)'")
            }
            return receiver
        }
    }

    private init?(_ text: String) {
        guard let mark = text.range(of: "=http://127.0.0.1:") else { return nil }
        let (name, rest) = (text[..<mark.lowerBound], text[mark.upperBound...])
        guard !name.isEmpty, let slash = rest.firstIndex(of: "/"), let port = Int(rest[..<slash]) else { return nil }
        self.name = name.trimmingCharacters(in: .whitespaces)
        self.port = port
        path = String(rest[slash...])
    }

    /// One that a suite has started itself.
    init(name: String, port: Int) {
        self.name = name
        self.port = port
        path = "/dump"
    }
}
