package import TrackEngine
import TrackEngineHTTP

extension OverlandSinkConfiguration {
    package func makeSink(
        named name: SinkID, _ context: CompositionContext
    ) throws(ConfigurationError) -> any FixSink {
        var sink = OverlandSink.Configuration(
            id: name, url: url, deviceID: deviceID.map(DeviceID.init(rawValue:)) ?? context.device)
        sink.profile = profile.option
        sink.method = method
        sink.token = try token.map { reference throws(ConfigurationError) in try context.secret("token", reference) }
        if let basicAuth {
            sink.basicAuthentication = .init(
                user: basicAuth.user, password: try context.secret("basicAuth.password", basicAuth.password))
        }
        for header in headers {
            let value = try context.secret("headers.\(header.name)", header.value)
            sink.headers.append(HeaderField(name: header.name, value: value))
        }
        sink.httpTimeout = .milliseconds(httpTimeout)
        sink.success = success.map(\.option)
        sink.timestampPrecision = timestamps == .milliseconds ? .milliseconds : .seconds
        sink.integerSpeed = integerSpeed
        sink.unknownBattery = battery.option
        sink.tls = .init(certificateAuthorityFile: tls.ca, certificateFile: tls.certificate, keyFile: tls.key)
        sink.allowInsecure = allowInsecure
        return try OverlandSink(sink)
    }
}

extension OverlandSinkConfiguration.Profile {
    fileprivate var option: OverlandSink.Configuration.Profile {
        switch self {
        case .overland: .overland
        case .trace: .trace
        case .calmgeo: .calmgeo
        }
    }
}

extension OverlandSinkConfiguration.SuccessRule {
    fileprivate var option: OverlandSink.Configuration.SuccessRule {
        switch self {
        case .ok: .resultOK
        case .any2xx: .any2xx
        }
    }
}

extension OverlandSinkConfiguration.BatteryStyle {
    fileprivate var option: OverlandSink.Configuration.UnknownBattery {
        switch self {
        case .asOverland: .unknown
        case .omit: .omitted
        case .mains: .mains
        }
    }
}
