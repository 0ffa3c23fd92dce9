import TrackEngine

/// Values that depend only on a record's source, computed again only when the source changes from one record to the
/// next.
struct SourceCache {
    private(set) var topic = ""
    /// The topic as a JSON string.
    private(set) var quotedTopic: [UInt8] = []
    /// The topic for events below it, as a JSON string.
    private(set) var quotedEventTopic: [UInt8] = []
    /// The source's name as a JSON string.
    private(set) var name: [UInt8] = []
    private var source: SourceID?

    /// Switches to the source of a record.
    mutating func turn(to source: SourceID, _ template: TopicTemplate) {
        guard source != self.source else { return }
        self.source = source
        topic = template.topic(source: source)
        quotedTopic = Self.quoted(topic)
        quotedEventTopic = Self.quoted(topic + "/event")
        name = Self.quoted(source.rawValue)
    }

    private static func quoted(_ text: String) -> [UInt8] {
        var writer = JSONWriter()
        writer.string(text)
        return writer.bytes
    }
}
