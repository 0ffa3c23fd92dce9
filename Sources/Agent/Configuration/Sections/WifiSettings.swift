import TrackEngine
package import TrackEnginePlaces
package import TrackEngineSettings

/// The section `wifi`: whether to look in which wireless network the machine is, and where networks are.
///
/// Its name in a record tells where the machine is to anybody who has a map of networks, so nobody looks unless asked.
package struct WifiSettings: Sendable, Hashable {
    /// Whether records say in which network the machine is. Zones imply it.
    package var read = false
    /// The interface to look at; the first that is in a network without it.
    package var interface: String?
    /// Networks whose places are known.
    package var zones: [WifiZoneSettings] = []

    /// Nothing is read.
    package init() {}

    package static let fields: [Field<Self>] = [
        .flag("read", \.read)
            .meaning(
                "Has every record say in which wireless network the machine is, by name and access point; off unless asked, because that tells where it is. With zones it is always on."
            ),
        .text("interface", \.interface, .interface)
            .meaning("The wireless interface to look at; null for the first that is in a network."),
        .tables("zones", \.zones, WifiZoneSettings.fields, of: WifiZoneSettings())
            .meaning(
                "Networks whose places are known: while the machine is in one, every fix of a live source is recorded at the zone's point."
            ),
    ]

    /// Reads the section; what contradicts itself, or `tracking`, is reported where it stands.
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

    /// Whether the kernel is asked.
    package var isRead: Bool { read || !zones.isEmpty }

    /// The zones.
    ///
    /// - Throws: what is wrong, under the keys of this section.
    package var places: WifiZones {
        get throws(ConfigurationError) { try WifiZones(zones.compactMap(\.zone)) }
    }

    /// All that is wrong beyond single values.
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
            // That of tracking is that of the profiles, too, unless they have another.
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
