/// All parts, in the order in which `torture all` runs them. A new part gets a row here.
package enum TortureCatalogue {
    package static let parts: [any TorturePart] = [
        PowerCutPart(),
        KillAtCallPart(),
        FailAtCallPart(),
        ModelPart(),
        DamagePart(),
        DiskPart(),
        ClockPart(),
        ControlPart(),
        DeliveryPart(),
        SoakPart(),
    ]

    /// The part of a name; `nil` when there is none.
    package static func part(_ name: String) -> (any TorturePart)? {
        (parts + [FaultyPart()]).first { $0.name == name }
    }
}
