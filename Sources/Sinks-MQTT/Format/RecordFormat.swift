/// Who shall understand the messages.
public enum RecordFormat: String, Sendable, Hashable, CaseIterable {
    /// One record a message, with everything that is known of it, in SI units: the library's own schema.
    case trackengine
    /// Many records in one message, in the same schema: the least work for network and broker.
    case batch
    /// The location message of OwnTracks, which its apps, its Recorder, Home Assistant, Dawarich and Traccar read.
    case owntracks
    /// A tracker with sensors that Home Assistant finds by itself.
    case homeassistant

    /// The template of the records' topic where the user names none.
    public var defaultTopic: String {
        switch self {
        case .trackengine: "{base}/{device}/record"
        case .batch: "{base}/{device}/records"
        case .owntracks: "owntracks/{user}/{device}"
        case .homeassistant: "{base}/{device}/attributes"
        }
    }
}
