import TrackEngine
import TrackEngineSettings
import Yams

/// The sink of a configuration that a setup link applies to.
struct SetupTarget {
    let name: String
    /// The present sink, or the initial one.
    let sink: Node
    /// Its path in the document.
    let path: [YAMLEditor.Step]
    /// Whether the sink is new.
    let isNew: Bool
    /// Whether the link's device id belongs to the sink instead of the whole agent: the sink has its own id, or the
    /// id is not valid in the topics of MQTT.
    let takesDeviceID: Bool
    /// The new value of the sink's `allowInsecure`; `nil` leaves it as it is.
    let allowInsecure: Bool?
    /// The change of the server, if the link names another one.
    let change: SetupPlan.OriginChange?

    /// Finds the sink; `nil` if the link is not about one.
    ///
    /// - Throws: if there are several sinks, if the named one is of another type, if a new one needs an address, or
    ///   if an address must not be used unencrypted.
    init?(
        _ link: SetupLink, for type: String, in document: Node, _ choices: SetupPlan.Options
    ) throws(AgentConfigurationError) {
        guard link.url != nil || link.token != nil || !link.headers.isEmpty else { return nil }
        let sinks = document["sinks"]?.sequence.map(Array.init) ?? []
        let index = try Self.index(of: type, in: sinks, choices.sink)
        guard index != nil || link.url != nil else {
            throw Self.problem("expected a link with url, because there is no such sink of type \(type) yet")
        }
        name = choices.sink ?? index.flatMap { sinks[$0]["name"]?.string } ?? type
        var new = [(Node("type"), Node(type))]
        if let wanted = choices.sink { new.append((Node("name"), Node(wanted))) }
        let present = index.map { sinks[$0] } ?? Node(new)
        change = Self.change(link, present, at: index, named: name, choices)
        sink = change?.dropped.reduce(present) { $0.removing($1.map(YAMLEditor.Step.key)[...]) } ?? present
        path = [.key("sinks"), .element(index ?? sinks.count)]
        isNew = index == nil
        takesDeviceID =
            sink["deviceID"] != nil || link.deviceID.map { !TextRule.device.isSatisfied(by: $0) } ?? false
        allowInsecure = try Self.allowInsecure(link, sink, choices)
    }

    /// The index of the sink, by its name or as the only one of its type; `nil` for a new one.
    private static func index(
        of type: String, in sinks: [Node], _ wanted: String?
    ) throws(AgentConfigurationError) -> Int? {
        let candidates = sinks.indices.filter { sinks[$0]["type"]?.string == type }
        if let wanted {
            guard let index = sinks.indices.first(where: { sinks[$0].sinkName == wanted }) else { return nil }
            guard candidates.contains(index) else {
                throw problem("--sink \(wanted.shownAsKey): expected a sink of type \(type), or a new name")
            }
            return index
        }
        guard candidates.count <= 1 else {
            let names = candidates.map { "--sink \((sinks[$0].sinkName ?? type).shownAsKey)" }
            throw problem("expected \(names.inWords), because there are \(candidates.count) sinks of type \(type)")
        }
        return candidates.first
    }

    /// The keys that identify the sender. They are only for the server that issued them.
    private static let credentials = [
        ["token"], ["basicAuth"], ["auth"], ["headers"], ["tls", "certificate"], ["tls", "key"],
    ]

    /// The change to another server that a link names. That server gets none of the values for the present one.
    private static func change(
        _ link: SetupLink, _ sink: Node, at place: Int?, named name: String, _ choices: SetupPlan.Options
    ) -> SetupPlan.OriginChange? {
        guard let url = link.url, let new = Endpoint(ifReadable: url.revealed) else { return nil }
        // An old address that cannot be read, or is kept elsewhere, is not the same server.
        let old = sink["url"]?.string.flatMap { Endpoint(ifReadable: $0) }
        guard old?.origin != new.origin else { return nil }
        let dropped = credentials.filter { sink.node(at: $0.map(YAMLEditor.Step.key)[...]) != nil }
        let kept = place.flatMap { place in
            SinkEnvironment(place: place, name: name, choices.environment).names(holding: credentials)
        }
        guard sink["url"] != nil || !dropped.isEmpty || kept?.isEmpty == false else { return nil }
        return SetupPlan.OriginChange(
            old: old.map { "\($0.origin)" } ?? "an address that cannot be read here", new: "\(new.origin)",
            dropped: dropped, kept: kept ?? [])
    }

    /// A permission to send unencrypted is for one server. An address of another server needs its own, and a secure
    /// address revokes it, so a later link cannot use it.
    private static func allowInsecure(
        _ link: SetupLink, _ sink: Node, _ choices: SetupPlan.Options
    ) throws(AgentConfigurationError) -> Bool? {
        let present = sink["url"]?.string
        let isAllowed = sink["allowInsecure"]?.string == "true"
        // An address that cannot be read is refused with the rest of the plan.
        guard let address = link.url?.revealed ?? present, let endpoint = Endpoint(ifReadable: address) else {
            return nil
        }
        if endpoint.origin.scheme == .https || endpoint.origin.isLoopback {
            return isAllowed && link.url != nil ? false : nil
        }
        if choices.allowsInsecure { return true }
        // An old address that cannot be read is not the same server.
        let old = present.flatMap { Endpoint(ifReadable: $0) }
        guard link.url != nil, !(isAllowed && old?.origin == endpoint.origin) else { return nil }
        throw problem(
            "url = \(endpoint.masked.quoted(atMost: 200)): expected https, or --allow-insecure, with which everyone on "
                + "the way can read positions and token")
    }

    private static func problem(_ text: String) -> AgentConfigurationError {
        AgentConfigurationError(ReportedProblem(.none, text))
    }
}

extension Node {
    /// The name of a sink, or else its type.
    fileprivate var sinkName: String? { self["name"]?.string ?? self["type"]?.string }
}
