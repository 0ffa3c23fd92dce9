/// Which behaviour each request meets.
///
/// The path is the script: `/status:503,status:503,ok` refuses two requests and takes all later ones. It is counted by
/// the whole target, so a query makes two runs of one script independent. `/input` follows the script that
/// `PUT /control` set last (`ok` at first), for senders whose address cannot change.
struct Script {
    private var requests: [String: Int] = [:]
    private var input: [Behaviour] = [.ok(status: 200)]

    /// The behaviour for the next request to a target; `nil` when the path is no script.
    mutating func behaviour(for target: String) -> Behaviour? {
        let path = target.split(separator: "?", maxSplits: 1).first.map(String.init) ?? ""
        let name = path.hasPrefix("/") ? String(path.dropFirst()) : path
        guard let steps = name == "input" ? input : Behaviour.script(name) else { return nil }
        let count = requests[target, default: 0]
        requests[target] = count + 1
        return steps[min(count, steps.count - 1)]
    }

    /// Sets what `/input` does from now on.
    mutating func setInput(_ text: String) -> Bool {
        guard let steps = Behaviour.script(text) else { return false }
        input = steps
        requests = requests.filter { !$0.key.hasPrefix("/input") }
        return true
    }
}
