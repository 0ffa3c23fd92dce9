import TrackEngine

extension TableDecoder {
    /// Reads a list of tables.
    ///
    /// Layers above the list change its elements, which they identify by position or by `name`, or add one at its end.
    public mutating func tables<Element>(_ key: String, _ read: (inout TableDecoder) -> Element?) -> [Element] {
        let (list, overlays) = split(nodes(key), fullKey(key))
        var count = list.count
        while overlays.contains(where: { $0.key == "\(count)" }), count < list.count + overlays.count { count += 1 }
        let names = UniqueNameList.names(of: list)
        let labels = UniqueNameList.labels(of: list)
        reportStrayOverlays(overlays, names, count: count, fullKey(key))
        return (0..<count).compactMap { index in
            let base = index < list.count ? [list[index]] : []
            let above = overlays.filter { $0.isElement(index, of: names) }.map(\.node)
            let label = index < labels.count ? labels[index] : "\(index)"
            var decoder = TableDecoder(path: "\(fullKey(key)).\(label)", layers: above + base, report)
            // An element that is not a table has been reported before, and has no keys that could be missing.
            return base.allSatisfy { $0.members != nil || $0.isNull } ? read(&decoder) : nil
        }
    }

    /// The highest list, and the layers above it; the layers below are replaced.
    private func split(
        _ nodes: [ConfigurationNode], _ key: String
    ) -> (list: [ConfigurationNode], overlays: [ConfigurationNode.Member]) {
        var overlays: [ConfigurationNode.Member] = []
        for node in nodes {
            if let list = node.elements { return (list, overlays) }
            if let members = node.members, node.origin.isAboveFile {
                overlays += members
            } else if !node.isNull || node.origin.isAboveFile {
                let expectation = "a list of tables, each with its type" + (node.isNull ? "; [] for none" : "")
                let problem = ConfigurationProblem(key: key, value: node.shown, expectation: expectation)
                report.add(ReportedProblem(node.origin, problem))
            }
        }
        return ([], overlays)
    }

    /// The first eight names, in brackets.
    private static func listed(_ names: [String]) -> String {
        let named = names.filter { !$0.isEmpty }
        guard !named.isEmpty else { return "" }
        return " (" + named.prefix(8).map(\.shownAsKey).joined(separator: ", ") + (named.count > 8 ? ", …)" : ")")
    }

    private func reportStrayOverlays(
        _ overlays: [ConfigurationNode.Member], _ names: [String], count: Int, _ key: String
    ) {
        for overlay in overlays where !(0..<count).contains(where: { overlay.isElement($0, of: names) }) {
            let problem = ConfigurationProblem(
                key: "\(key).\(overlay.key.shownAsKey)", value: "…",
                expectation: "the name of an element\(Self.listed(names)) or its place, 0 to \(count)")
            report.add(ReportedProblem(overlay.node.origin, problem))
        }
    }
}

extension ConfigurationNode.Member {
    /// Whether this member refers to an element, by its position or its name.
    fileprivate func isElement(_ index: Int, of names: [String]) -> Bool {
        key == "\(index)" || (index < names.count && isFor(names[index]))
    }
}
