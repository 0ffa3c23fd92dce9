import TrackEngine
package import TrackEngineSettings

extension MQTTSettings {
    /// Reports the problems found by the sink's rules and those of the messages, with placeholders for values that
    /// are only known when the sink is made.
    package mutating func check(_ table: inout TableDecoder) {
        let address = BrokerAddress(ifReadable: url)
        if address?.isSecure == false, tls != TLSFiles() {
            table.reject("tls", nil, "an mqtts address for it, url is \(url)")
        }
        for problem in draft(address).problemsWithoutFiles { table.reject(inWordsOfSettings(problem)) }
        if address?.isSecure != true {
            for problem in tls.options.problems { table.reject(inWordsOfSettings(problem)) }
        }
        checkTopics(&table)
        checkConfirmation(&table)
    }

    private func draft(_ address: BrokerAddress?) -> MQTTSink.Configuration {
        var draft = configuration
        draft.host = address?.host ?? "localhost"
        draft.tls = address?.isSecure == true ? tls.options : nil
        draft.messages = messages(device: "device", programVersion: "")
        if password != nil { draft.password = .text(Secret("x")) }
        if let confirm { draft.confirm = .init(topic: "confirmed", timeout: confirm.timeout) }
        return draft
    }

    /// Converts a problem of the sink's configuration to the keys of the settings, with the remedy available there.
    func inWordsOfSettings(_ problem: ConfigurationProblem) -> ConfigurationProblem {
        switch problem.key {
        case "tls":
            ConfigurationProblem(
                key: "url", value: url.quoted(atMost: 80),
                expectation: "mqtts, or allowInsecure: true to send in the clear")
        case "tls.certificateFile" where tls.key == nil, "tls.keyFile" where tls.certificate == nil:
            ConfigurationProblem(key: "tls", value: "{…}", expectation: "both certificate and key, or neither")
        case let key where TLSFiles.key(ofOption: key) != nil:
            ConfigurationProblem(
                key: TLSFiles.key(ofOption: key) ?? key, value: problem.value, expectation: problem.expectation)
        case "user" where user == nil:
            // The value is the default of `user`, and the problem is reported for the key that was set.
            ConfigurationProblem(
                key: "username", value: problem.value,
                expectation: "\(problem.expectation), or user with it for the topics")
        case "confirm" where configuration.qualityOfService == .atMostOnce:
            ConfigurationProblem(key: "confirm", value: "{…}", expectation: "qos: 1 with it")
        case _: problem
        }
    }

    /// Reports the problems of the messages at the line of the key. The device's name is only known later, and
    /// checked again then.
    private func checkTopics(_ table: inout TableDecoder) {
        for problem in messages(device: "device", programVersion: "").problems.map(inWordsOfSettings) {
            guard table.node(problem.key) != nil else { continue }
            table.reject(problem.key, problem.key == "secret" ? "***" : nil, problem.expectation)
        }
    }

    private func checkConfirmation(_ table: inout TableDecoder) {
        guard let confirm else { return }
        let messages = messages(device: "device", programVersion: "")
        do throws(ConfigurationError) {
            let topic = try messages.confirmationTopic(confirm.topic)
            throw ConfigurationError(problems: messages.problems(of: .init(topic: topic, timeout: confirm.timeout)))
        } catch {
            for problem in error.problems { table.reject(problem) }
        }
    }
}

extension TLSFiles {
    /// The files as options of the sink.
    var options: MQTTSink.Configuration.TLSOptions {
        .init(certificateAuthorityFile: ca, certificateFile: certificate, keyFile: key)
    }
}
