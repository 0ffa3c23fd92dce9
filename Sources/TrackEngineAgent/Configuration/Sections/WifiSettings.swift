import TrackEngine
package import TrackEnginePlaces
package import TrackEngineSettings

/// The section `wifi`: whether to read the machine's wireless network, and the positions of networks.
///
/// The network's name in a record reveals the position to everyone with a map of networks, so it is read on request
/// only.
package struct WifiSettings: Sendable, Hashable {
    /// Whether records contain the machine's wireless network. Zones imply it.
    package var read = false
    /// The interface to read; without one, the first that is in a network.
    package var interface: String?
    /// The networks with known positions.
    package var zones: [WifiZoneSettings] = []

    package static let fields: [Field<Self>] = [
        .flag("read", \.read)
            .meaning(
                "Adds the wireless network of the machine to every record, by name and access point; off by default, because that reveals where it is. With zones it is always on."
            ),
        .text("interface", \.interface, .interface)
            .meaning("The wireless interface to look at; null for the first that is in a network."),
        .tables("zones", \.zones, WifiZoneSettings.fields, of: WifiZoneSettings())
            .meaning(
                "Networks with known positions: while the machine is in one, every fix of a live source is recorded at the zone's point."
            ),
    ]

    /// Reads the section; contradictions, also with `tracking`, are reported at their lines.
    static func decode(
        _ root: inout TableDecoder, _ tracking: RecordingConfiguration, _ profiles: ProfileSettings
    ) -> WifiSettings {
        var wifi = WifiSettings()
        root.table("wifi") { table in
            for field in fields { field.read(&table, &wifi) }
            for problem in wifi.problems(tracking, profiles) { table.reject(problem) }
        }
        return wifi
    }

    /// Whether the kernel is queried.
    package var isRead: Bool { read || !zones.isEmpty }

    /// The zones.
    ///
    /// - Throws: the problems, under the keys of this section.
    package var places: WifiZones {
        get throws(ConfigurationError) { try WifiZones(zones.compactMap(\.zone)) }
    }

    /// All problems beyond single values.
    private func problems(
        _ tracking: RecordingConfiguration, _ profiles: ProfileSettings
    ) -> [ConfigurationProblem] {
        var problems = zones.compactMap(\.problem)
        do throws(ConfigurationError) { _ = try places } catch { problems += error.problems }
        let bounds = [
            ("tracking", tracking.minimumAccuracy),
            ("profiles.coarse", profiles.configuration(of: .coarse, tracking).minimumAccuracy),
            ("profiles.fine", profiles.configuration(of: .fine, tracking).minimumAccuracy),
        ]
        for zone in zones {
            // The bound of tracking is that of the profiles, too, unless they have another.
            guard let (section, bound) = bounds.first(where: { $0.1.map { zone.horizontalAccuracy > $0 } ?? false }),
                let bound
            else { continue }
            problems.append(
                ConfigurationProblem(
                    key: "zones.\(zone.name).horizontalAccuracy", value: zone.horizontalAccuracy.written,
                    expectation: "at most \(section).minimumAccuracy, \(bound.written) metres: no fix there would pass")
            )
        }
        return problems
    }
}

extension TextRule {
    /// IFNAMSIZ of linux/if.h is 16, with the zero at the end.
    fileprivate static let interface = TextRule(
        expectation: "the name of an interface, 1 to 15 bytes without blanks and /"
    ) { text in
        (1...15).contains(text.utf8.count) && !text.contains { $0 == "/" || $0.isWhitespace }
            && TextRule.line.isSatisfied(by: text)
    }
}
