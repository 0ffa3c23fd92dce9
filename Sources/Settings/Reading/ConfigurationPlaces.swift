/// Where each value of a configuration was given, for what turns out to be wrong with it only later: a secret that is not
/// there, a file that only a sink looks into. The values themselves are not kept.
///
/// Two are always equal, because where a value was given says nothing of what it is.
package struct ConfigurationPlaces: Sendable, Hashable {
    private let layers: [ConfigurationNode]

    /// The places of a configuration's layers, the highest first; none by default.
    package init(_ layers: [ConfigurationNode] = []) { self.layers = layers.map(\.withoutValues) }

    /// Where a key such as `sinks.home.tls.ca` was given, or else the nearest table that it would stand in.
    package func origin(of key: String) -> ConfigurationOrigin {
        let parts = key.split(separator: ".").map(String.init)
        var nearest = (depth: 0, origin: ConfigurationOrigin.none)
        for layer in layers {
            let found = layer.nearest(to: parts)
            if found.depth > nearest.depth { nearest = found }
        }
        return nearest.origin
    }

    package static func == (left: ConfigurationPlaces, right: ConfigurationPlaces) -> Bool { true }

    package func hash(into hasher: inout Hasher) {}
}

extension ConfigurationNode {
    /// How many parts of a key can be followed from here, and where that leads.
    func nearest(to parts: [String]) -> (depth: Int, origin: ConfigurationOrigin) {
        var node = self
        for (depth, part) in parts.enumerated() {
            guard let next = node.child(part) else { return (depth, node.origin) }
            node = next
        }
        return (parts.count, node.origin)
    }

    /// What stands under a key, or for an element of a list under its name or place.
    private func child(_ part: String) -> ConfigurationNode? {
        if let members { return members.last { $0.isFor(part) }?.node }
        guard let elements else { return nil }
        let index = UniqueNames.names(of: elements).firstIndex(of: part) ?? Int(part)
        return index.flatMap { elements.indices.contains($0) ? elements[$0] : nil }
    }

    /// The same places without their values.
    fileprivate var withoutValues: ConfigurationNode {
        switch content {
        case .scalar: ConfigurationNode(.scalar(Scalar("")), origin)
        case .list(let elements): ConfigurationNode(.list(elements.map(\.withNameAlone)), origin)
        case .table(let members): ConfigurationNode(.table(members.map { $0.withoutValue }), origin)
        }
    }

    /// An element of a list, with no value but those that it is named by.
    private var withNameAlone: ConfigurationNode {
        guard let members else { return withoutValues }
        let kept = members.map { ["name", "type"].contains($0.key) ? $0 : $0.withoutValue }
        return ConfigurationNode(.table(kept), origin)
    }
}

extension ConfigurationNode.Member {
    fileprivate var withoutValue: Self { Self(key: key, node: node.withoutValues) }
}
