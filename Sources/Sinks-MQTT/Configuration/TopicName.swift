/// Rules for the names of topics that are published to (MQTT 5 section 4.7).
package enum TopicName {
    /// The longest topic taken, in bytes; brokers take 65 535, but no more than 200 levels.
    package static let maximumLength = 512

    /// Whether messages may be published there: no wildcards, nothing unprintable, and not the broker's own (`$SYS`).
    package static func isValid(_ topic: String) -> Bool {
        (1...maximumLength).contains(topic.utf8.count) && !topic.hasPrefix("$")
            && topic.unicodeScalars.allSatisfy { scalar in
                scalar != "+" && scalar != "#" && scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value)
            }
    }

    /// What is valid, as the end of "expected …".
    package static let expectation =
        "a topic of 1 to 512 bytes without +, # and control characters, not beginning with $"
}
