import Foundation

/// How the receiver treats one request. Each but `ok`, `lostReply` and the conditional ones stores nothing.
enum Behaviour: Equatable {
    /// Stores the records, then 200 (or another status) with `{"result":"ok"}`.
    case ok(status: Int)
    /// Stores the records, then 200 with this body.
    case okWith(body: String)
    /// A status with a small JSON object.
    case status(Int)
    /// 200 with this body and content type.
    case body(String, type: String)
    /// 429 with this `Retry-After`.
    case retryAfter(String)
    /// 413 over this many records, else as `ok`.
    case limit(Int)
    /// This answer when the record is among them, else as `ok`.
    case poison(record: String, Poisoned)
    /// This status when a record's time lies in the first `width` of each `period` milliseconds, else as `ok`.
    case poisonTimes(status: Int, period: Int64, width: Int64)
    /// A status with this `Location`.
    case redirect(Int, to: String)
    /// 401 without this bearer token, else as `ok`.
    case bearer(String)
    /// Never answers.
    case silent
    /// 200 and then one byte of body every 50 ms, without an end.
    case drip
    /// 200 and a body without an end, as fast as it is read.
    case huge
    /// Bytes that are not HTTP.
    case garbage
    /// A reply that ends before the announced length.
    case truncated
    /// The connection is reset at once.
    case reset
    /// Stores the records, then closes the connection without an answer.
    case lostReply

    enum Poisoned: Equatable {
        case status(Int)
        case failed
    }
}

extension Behaviour {
    /// Reads one step of a path: `name`, `name:argument` or `name:argument:argument`.
    init?(_ step: String) {
        let parts = step.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        let first = parts.count > 1 ? parts[1] : nil
        switch (parts[0], first.flatMap { Int($0) }) {
        case ("ok", let status): self = .ok(status: status ?? 200)
        case ("status", let status?): self = .status(status)
        case ("retry-after", _): self = .retryAfter(first ?? "1")
        case ("limit", let count?): self = .limit(count)
        case ("poison", let status) where parts.count == 3:
            self = .poison(record: parts[2], status.map { .status($0) } ?? .failed)
        case ("poison-times", let status?) where parts.count == 3:
            let numbers = parts[2].split(separator: "/").compactMap { Int64($0) }
            guard numbers.count == 2, numbers[0] > 0 else { return nil }
            self = .poisonTimes(status: status, period: numbers[0], width: numbers[1])
        case ("redirect", let status?) where parts.count == 3: self = .redirect(status, to: parts[2])
        case ("bearer", _): self = .bearer(first ?? "")
        case ("ok-body", _):
            self = .okWith(body: step.split(separator: ":", maxSplits: 1).last.map(String.init) ?? "")
        case ("body", _):
            self = .body(step.split(separator: ":", maxSplits: 1).last.map(String.init) ?? "", type: "application/json")
        case (let name, _):
            guard let simple = Self.simple[name] else { return nil }
            self = simple
        }
    }

    private static let simple: [String: Behaviour] = [
        "ok-empty": .okWith(body: ""),
        "ok-text": .okWith(body: "thanks"),
        "failed": .body(#"{"result":"failed"}"#, type: "application/json"),
        "html": .body("<!doctype html><title>Welcome to the hotel</title>", type: "text/html"),
        "array": .body("[]", type: "application/json"),
        "empty": .body("", type: "application/json"),
        "silent": .silent, "drip": .drip, "huge": .huge, "garbage": .garbage, "truncated": .truncated,
        "reset": .reset, "lost-reply": .lostReply,
    ]

    /// Reads a script: steps with commas between; `nil` when one of them is unknown.
    static func script(_ text: String) -> [Behaviour]? {
        let steps = text.split(separator: ",").map { Behaviour($0.removingPercentEncoding ?? String($0)) }
        return steps.isEmpty || steps.contains(nil) ? nil : steps.compactMap(\.self)
    }
}
