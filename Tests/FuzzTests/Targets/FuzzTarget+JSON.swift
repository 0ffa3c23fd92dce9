import Foundation
import TrackEngine

extension FuzzTarget {
    /// Any JSON that the engine reads: what is read is written and read again as the same, and Foundation's reader reads
    /// it as we do.
    static let json = FuzzTarget(name: "json") { bytes in
        let theirs = try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)  // not JSON: nil
        do throws(JSONError) {
            let ours = try JSONValue.parse(bytes)
            var writer = JSONWriter()
            ours.write(to: &writer)
            precondition((try? JSONValue.parse(writer.bytes)) == ours, "what was written is read as something else")
            guard let theirs else { return precondition(FoundationJSON.mayRefuse(bytes), "only we read it") }
            precondition(FoundationJSON.isSame(theirs, as: ours), "we read \(ours), Foundation reads \(theirs)")
        } catch {
            precondition(
                theirs == nil || FoundationJSON.mayAccept(bytes, refusedFor: error), "only we refuse it: \(error)")
        }
    }
}

/// Where Foundation's reader and ours agree, and where they may differ.
private enum FoundationJSON {
    /// Whether Foundation may refuse what we accept: we replace half a surrogate pair and what is no UTF-8.
    static func mayRefuse(_ bytes: [UInt8]) -> Bool {
        String(validating: bytes, as: UTF8.self) == nil || String(decoding: bytes, as: UTF8.self).contains("\\u")
    }

    /// Whether Foundation may accept what we refuse: it takes a comma before a closing bracket, UTF-16, UTF-32, a byte
    /// order mark, any depth, and numbers that no `Double` holds.
    static func mayAccept(_ bytes: [UInt8], refusedFor error: JSONError) -> Bool {
        bytes.dropFirst(error.offset).first.map { $0 == UInt8(ascii: "]") || $0 == UInt8(ascii: "}") } == true
            || error.message.contains("levels") || error.message.contains("fits 64-bit") || bytes.contains(0)
            || bytes.starts(with: [0xEF, 0xBB, 0xBF]) || bytes.starts(with: [0xFE, 0xFF])
            || bytes.starts(with: [0xFF, 0xFE])
    }

    static func isSame(_ theirs: Any, as ours: JSONValue) -> Bool {
        switch ours {
        case .null: theirs is NSNull
        case .boolean(let value): (theirs as? Bool) == value
        case .number(let value): (theirs as? NSNumber).map { isNear($0.doubleValue, value) } == true
        case .string(let text): (theirs as? String) == text
        case .array(let elements): isSame(theirs as? [Any], as: elements)
        case .object(let members): isSame(theirs as? [String: Any], as: members)
        }
    }

    private static func isSame(_ theirs: [Any]?, as elements: [JSONValue]) -> Bool {
        guard let theirs, theirs.count == elements.count else { return false }
        return zip(theirs, elements).allSatisfy { isSame($0, as: $1) }
    }

    /// Which of several members of one name counts is each reader's own choice.
    private static func isSame(_ theirs: [String: Any]?, as members: [JSONValue.Member]) -> Bool {
        guard let theirs, Set(theirs.keys) == Set(members.map(\.name)) else { return false }
        guard theirs.count == members.count else { return true }
        return members.allSatisfy { member in theirs[member.name].map { isSame($0, as: member.value) } == true }
    }

    /// Foundation reads long numbers as decimals, which become a `Double` that is off in the last places.
    private static func isNear(_ one: Double, _ other: Double) -> Bool {
        one == other || abs(one - other) <= abs(other) * 1e-12
    }
}
