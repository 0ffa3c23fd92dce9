import TrackEngine
import TrackEngineSettings

extension ConfigurationValue {
    /// The value for remote readers, with neither secrets nor their locations.
    var json: JSONValue {
        switch self {
        case .word(let word): JSONValue(ifReadable: Array(word.utf8)) ?? .string(word)
        case .text(let text): .string(text)
        case .masked(_, let text): .string(text)
        case .secret: .string("***")
        case .list(let elements): .array(elements.map(\.json))
        case .table(let members): .object(members.map { JSONValue.Member($0.key, $0.value.json) })
        }
    }
}
