public import TrackEngine

/// What a sink's messages are like, and where they go.
public struct MessageOptions: Sendable, Hashable {
    /// Who shall understand the messages. Default ``RecordFormat/trackengine``.
    public var format: RecordFormat
    /// What topics begin with, `{base}` in a template: one level or several, at most 200
    /// bytes. Default `trackengine`.
    public var base: String
    /// The name of the tracked object, `{device}` in a template: one level of 1 to 128 bytes, without blanks at its ends.
    public var deviceID: DeviceID
    /// Whose it is, `{user}` in a template, which OwnTracks wants to know: one level, at most 200 bytes. Default
    /// `trackengine`.
    public var user: String
    /// A template of the records' topic, with `{base}`, `{device}`, `{user}` and `{source}`; the topic has at most 512
    /// bytes. Default `nil`: the format's own, ``RecordFormat/defaultTopic``.
    public var topic: String?
    /// What OwnTracks and Home Assistant are told of a position whose accuracy is unknown, in metres, 1 to 10 000.
    /// Default 100.
    ///
    /// Both drop a position that says nothing or 0. 100 is worse than any receiver with a fix, and within what consumers
    /// let through by default; higher, and they may drop it.
    public var assumedAccuracy: Int
    /// The two characters that OwnTracks shows on its map. Default `nil`: the last two of the device's name.
    public var trackerID: String?
    /// The version of the software that Home Assistant shows for the device. Default `nil`: none.
    public var softwareVersion: String?

    /// The defaults.
    public init(
        format: RecordFormat = .trackengine, base: String = "trackengine", deviceID: DeviceID,
        user: String = "trackengine", topic: String? = nil, assumedAccuracy: Int = 100, trackerID: String? = nil,
        softwareVersion: String? = nil
    ) {
        self.format = format
        self.base = base
        self.deviceID = deviceID
        self.user = user
        self.topic = topic
        self.assumedAccuracy = assumedAccuracy
        self.trackerID = trackerID
        self.softwareVersion = softwareVersion
    }

    /// The topics beside the records'.
    public var topics: SinkTopics { SinkTopics(values) }

    var values: TopicValues { TopicValues(base: base, device: deviceID, user: user) }
}

extension MessageOptions {
    /// What may be assumed of an unknown accuracy, in metres.
    package static let accuracies = 1...10_000

    /// Everything that is wrong with the options; empty if they can be used.
    package var problems: [ConfigurationProblem] {
        do throws(ConfigurationError) {
            _ = try makeFormat()
            return []
        } catch {
            return error.problems
        }
    }

    /// The format that the options describe.
    ///
    /// - Throws: everything that is wrong with them.
    package func makeFormat() throws(ConfigurationError) -> any MessageFormat {
        var check = ConfigurationCheck()
        values.check(&check)
        check.range("assumedAccuracy", assumedAccuracy, Self.accuracies, "metres")
        if let trackerID, trackerID.count != 2 || TopicText.problem(inLevel: trackerID) != nil {
            check.problem("trackerID", TopicText.shown(trackerID), "two characters")
        }
        let template = checkedTopic(&check)
        try check.finish()
        guard let template else { throw ConfigurationError(problems: check.problems) }
        switch format {
        case .trackengine: return TrackEngineFormat(self, template)
        case .batch: return BatchFormat(self, template)
        case .owntracks: return OwnTracksFormat(self, template)
        case .homeassistant: return HomeAssistantFormat(self, topic: template.topic(source: ""))
        }
    }

    /// The topic's template, checked with values that are sound, so that each problem is reported where it is.
    private func checkedTopic(_ check: inout ConfigurationCheck) -> TopicTemplate? {
        do throws(ConfigurationError) {
            let template = try TopicTemplate(topic ?? format.defaultTopic, check.problems.isEmpty ? values : .sound)
            if format == .homeassistant, !template.isFixed {
                check.problem(
                    "topic", TopicText.shown(topic ?? ""), "no {source}, because Home Assistant follows one topic")
            }
            if template.isFixed, topics.contains(template.topic(source: "")) {
                check.problem(
                    "topic", TopicText.shown(topic ?? ""),
                    "a topic that is not taken by presence, commands or last record")
            }
            return template
        } catch {
            check.problems += error.problems
            return nil
        }
    }
}

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
