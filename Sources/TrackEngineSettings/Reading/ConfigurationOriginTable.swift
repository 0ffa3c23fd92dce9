/// The origin of each value of a configuration, for problems that are found only later: a missing secret, a file that
/// only a sink reads. The values themselves are not kept.
///
/// All instances are equal, because the origin of a value is not part of the value.
package struct ConfigurationOriginTable: Sendable, Hashable {
    private let layers: [ConfigurationNode]

    /// The origins of the values in a configuration's layers, the highest first; none by default.
    package init(_ layers: [ConfigurationNode] = []) { self.layers = layers.map(\.withoutValues) }

    /// The origin of a key such as `sinks.home.tls.ca`, or else of the nearest table around it.
    package func origin(of key: String) -> ConfigurationOrigin {
        let parts = key.split(separator: ".").map(String.init)
        var nearest = (depth: 0, origin: ConfigurationOrigin.none)
        for layer in layers {
            let found = layer.nearest(to: parts)
            if found.depth > nearest.depth { nearest = found }
        }
        return nearest.origin
    }

    package static func == (left: ConfigurationOriginTable, right: ConfigurationOriginTable) -> Bool { true }

    package func hash(into hasher: inout Hasher) {}
}

extension ConfigurationNode {
    /// The number of parts of a key that exist below this node, and the node that they lead to.
    func nearest(to parts: [String]) -> (depth: Int, origin: ConfigurationOrigin) {
        var node = self
        for (depth, part) in parts.enumerated() {
            guard let next = node.child(part) else { return (depth, node.origin) }
            node = next
        }
        return (parts.count, node.origin)
    }

    /// The value of a key, or the element of a list with this name or position.
    private func child(_ part: String) -> ConfigurationNode? {
        if let members { return members.last { $0.isFor(part) }?.node }
        guard let elements else { return nil }
        let index = UniqueNameList.names(of: elements).firstIndex(of: part) ?? Int(part)
        return index.flatMap { elements.indices.contains($0) ? elements[$0] : nil }
    }

    /// The node with its origins but without its values.
    fileprivate var withoutValues: ConfigurationNode {
        switch content {
        case .scalar: ConfigurationNode(.scalar(Scalar("")), origin)
        case .list(let elements): ConfigurationNode(.list(elements.map(\.withNameAlone)), origin)
        case .table(let members): ConfigurationNode(.table(members.map { $0.withoutValue }), origin)
        }
    }

    /// An element of a list, without all values except those that name it.
    private var withNameAlone: ConfigurationNode {
        guard let members else { return withoutValues }
        let kept = members.map { ["name", "type"].contains($0.key) ? $0 : $0.withoutValue }
        return ConfigurationNode(.table(kept), origin)
    }
}

extension ConfigurationNode.Member {
    fileprivate var withoutValue: Self { Self(key: key, node: node.withoutValues) }
}
