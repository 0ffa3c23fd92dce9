import Foundation

/// The receiver's ledger: a file of JSON lines that is on the disk before a request is answered.
///
/// Each request has a line of kind `request`, stored or not; each stored record one of kind `record`.
final class RecordLog {
    private let descriptor: Int32
    private var requests = 0
    private var arrivals = 0

    /// Opens the file and goes on after what earlier runs wrote; a line that a kill cut short is ended.
    init(path: String) throws {
        descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw POSIXError(.EACCES) }
        let earlier = try Data(contentsOf: URL(fileURLWithPath: path))
        if let last = earlier.last, last != UInt8(ascii: "\n") { write(descriptor, "\n", 1) }
        for line in earlier.split(separator: UInt8(ascii: "\n")) {
            if line.starts(with: Data(#"{"kind":"record""#.utf8)) { arrivals += 1 } else { requests += 1 }
        }
    }

    /// Notes a request and the records it stores, and returns when both are on the disk.
    func note(_ request: Request, storing records: [Submission.Record]) throws {
        requests += 1
        var lines = requestLine(request)
        for (index, record) in records.enumerated() {
            arrivals += 1
            lines += #"{"kind":"record","arrival":\#(arrivals),"request":\#(requests),"index":\#(index),"#
            lines += #""id":\#(Self.quoted(record.id)),"record":\#(record.canonical)}"# + "\n"
        }
        try append(Data(lines.utf8))
    }

    private func requestLine(_ request: Request) -> String {
        let fields = request.headers.map { "\(Self.quoted($0.lowercased())):\(Self.quoted($1))" }.joined(separator: ",")
        let hash = request.body.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return #"{"kind":"request","request":\#(requests),"method":\#(Self.quoted(request.method)),"#
            + #""target":\#(Self.quoted(request.target)),"bodyBytes":\#(request.body.count),"#
            + #""client":\#(request.client),"bodyHash":"\#(String(hash, radix: 16))","headers":{\#(fields)}}"# + "\n"
    }

    private func append(_ bytes: Data) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { throw POSIXError(.EIO) }
            rest = rest.dropFirst(count)
        }
        guard fsync(descriptor) == 0 else { throw POSIXError(.EIO) }
    }

    private static func quoted(_ text: String) -> String {
        // An array of one string is always valid JSON.
        let data = try? JSONSerialization.data(withJSONObject: [text], options: [.withoutEscapingSlashes])
        return String(decoding: (data ?? Data("[\"\"]".utf8)).dropFirst().dropLast(), as: UTF8.self)
    }
}

/// A request as received.
struct Request {
    /// The port at the other end of the connection, by which connections are told apart.
    var client: Int
    var method: String
    var target: String
    var headers: [(String, String)]
    var body = Data()

    /// Whether the request carries a bearer token.
    func isAuthorized(_ token: String) -> Bool {
        headers.contains { $0.0.lowercased() == "authorization" && $0.1 == "Bearer \(token)" }
    }
}
