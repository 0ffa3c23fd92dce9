package import TrackEngine

extension MessageOptions {
    /// The topic on which a consumer confirms records.
    ///
    /// - Parameter template: as for ``topic``, without `{source}`; `nil` is ``SinkTopicSet/confirmation``.
    /// - Throws: the problems of the template, under the key `confirm.topic`.
    package func confirmationTopic(_ template: String?) throws(ConfigurationError) -> String {
        guard let template else { return topics.confirmation }
        let read = try TopicTemplate(template, problems.isEmpty ? values : .sound, key: "confirm.topic")
        guard read.isFixed else {
            throw ConfigurationError(
                "confirm.topic", TopicText.shown(template), "no {source}, because records are confirmed on one topic")
        }
        return read.topic(source: "")
    }

    /// The options' conflicts with confirmations.
    package func problems(of confirm: MQTTSink.Configuration.ConfirmationOptions) -> [ConfigurationProblem] {
        var check = ConfigurationCheck()
        if format == .homeassistant {
            check.problem(
                "confirm", TopicText.shown(confirm.topic),
                "the format trackengine, batch or owntracks: Home Assistant does not confirm records")
        }
        if topics.contains(confirm.topic) || recordTopic == confirm.topic {
            check.problem(
                "confirm.topic", TopicText.shown(confirm.topic),
                "a topic that is not taken by records, presence, commands or last record")
        }
        return check.problems
    }

    /// The topic of the records, if there is only one and the options are valid.
    private var recordTopic: String? {
        guard let template = try? TopicTemplate(topic ?? format.defaultTopic, values), template.isFixed else {
            return nil  // problems of the options are reported elsewhere
        }
        return template.topic(source: "")
    }
}
