import Foundation

/// Which behaviour each request meets.
///
/// The path is the script: `/status:503,status:503,ok` refuses two requests and takes all later ones. It is counted by
/// the whole target, so a query makes two runs of one script independent. `/input` follows the script in the file
/// `LOG.input` (`ok` without one) and begins anew when that changes, for senders whose address cannot change. What Miataru's
/// senders append to an address is no part of it.
struct Script {
    private static let ofMiataru = ["/v1/UpdateLocation", "/v1/DeleteLocation"]

    private var requests: [String: Int] = [:]
    private let inputPath: String
    private var input = ""

    init(inputPath: String) {
        self.inputPath = inputPath
    }

    /// The behaviour for the next request to a target; `nil` when the path is no script.
    mutating func behaviour(for target: String) -> Behaviour? {
        var path = target.split(separator: "?", maxSplits: 1).first.map(String.init) ?? ""
        // The calls of one sender count together.
        var sender = target
        if let call = Self.ofMiataru.first(where: path.hasSuffix) {
            path.removeLast(call.count)
            sender = path
        }
        let name = path.hasPrefix("/") ? String(path.dropFirst()) : path
        guard let steps = Behaviour.script(name == "input" ? inputScript() : name) else { return nil }
        let count = requests[sender, default: 0]
        requests[sender] = count + 1
        return steps[min(count, steps.count - 1)]
    }

    private mutating func inputScript() -> String {
        let text = (try? String(contentsOfFile: inputPath, encoding: .utf8)) ?? "ok"  // no file yet: as documented
        if text != input {
            input = text
            requests = requests.filter { !$0.key.hasPrefix("/input") }
        }
        return text
    }
}
