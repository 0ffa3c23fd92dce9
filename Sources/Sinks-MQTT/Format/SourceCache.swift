import TrackEngine

/// What depends on a record's source alone, made anew only when the source changes from one record to the next.
struct SourceCache {
    private(set) var topic = ""
    /// The source's name as a JSON string.
    private(set) var name: [UInt8] = []
    private var source: SourceID?

    /// Turns to the source of a record.
    mutating func turn(to source: SourceID, _ template: TopicTemplate) {
        guard source != self.source else { return }
        self.source = source
        topic = template.topic(source: source)
        var writer = JSONWriter()
        writer.string(source.rawValue)
        name = writer.bytes
    }
}
