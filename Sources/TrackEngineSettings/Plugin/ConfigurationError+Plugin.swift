package import TrackEngine

extension ConfigurationError {
    /// Adds the prefix of a plugin to the keys of the problems that it found. If its settings have no `deviceID` of
    /// their own, the value came from the agent's `device.id`.
    package func under(_ prefix: String, _ settings: any PluginSettings) -> ConfigurationError {
        ConfigurationError(
            problems: problems.map { problem in
                let isOfAgent = problem.key == "deviceID" && !settings.gives("deviceID")
                return ConfigurationProblem(
                    key: isOfAgent ? "device.id" : prefix + problem.key, value: problem.value,
                    expectation: problem.expectation)
            })
    }
}
