import TrackEngine
package import TrackEngineSettings

/// The section `wifi`: whether to look in which wireless network the machine is.
///
/// Its name in a record tells where the machine is to anybody who has a map of networks, so nobody looks unless asked.
package struct WifiSettings: Sendable, Hashable {
    /// Whether records say in which network the machine is.
    package var read = false
    /// The interface to look at; the first that is in a network without it.
    package var interface: String?

    /// Nothing is read.
    package init() {}

    package static let fields: [Field<Self>] = [
        .flag("read", \.read)
            .meaning(
                "Has every record say in which wireless network the machine is, by name and access point; off unless asked, because that tells where it is."
            ),
        .text("interface", \.interface, .interface)
            .meaning("The wireless interface to look at; null for the first that is in a network."),
    ]

    /// Whether the kernel is asked.
    package var isRead: Bool { read }
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
