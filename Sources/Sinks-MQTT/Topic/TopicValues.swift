package import TrackEngine
import TrackEngineSettings

/// What the placeholders of a topic template stand for, as far as it is known before there is a record.
package struct TopicValues: Sendable, Hashable {
    /// `{base}`: where all topics of ours begin, one level or several.
    package var base: String
    /// `{device}`: the tracked object.
    package var device: DeviceID
    /// `{user}`: whose it is, which OwnTracks wants to know.
    package var user: String

    /// Makes them.
    package init(base: String, device: DeviceID, user: String) {
        self.base = base
        self.device = device
        self.user = user
    }

    /// Values that cannot be wrong, to check a template with.
    package static let sound = TopicValues(base: "base", device: "device", user: "user")

    /// Reports every value that cannot be part of a topic.
    package func check(_ check: inout ConfigurationCheck) {
        if let problem = TopicText.problem(inTopic: base) {
            check.problem("base", TopicText.shown(base), problem)
        } else if base.utf8.count > TopicText.maximumNameLength {
            check.problem("base", TopicText.shown(base), Self.lengthExpectation)
        }
        check.text("deviceID", device.rawValue, .device)
        level("user", user, &check)
    }

    private func level(_ key: String, _ text: String, _ check: inout ConfigurationCheck) {
        if let problem = TopicText.problem(inLevel: text) {
            check.problem(key, TopicText.shown(text), problem)
        } else if text.utf8.count > TopicText.maximumNameLength {
            check.problem(key, TopicText.shown(text), Self.lengthExpectation)
        }
    }

    private static let lengthExpectation = "at most \(TopicText.maximumNameLength) bytes"
}
