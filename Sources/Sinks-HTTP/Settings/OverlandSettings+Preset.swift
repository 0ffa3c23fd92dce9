import TrackEngine
import TrackEngineSettings

extension Field<OverlandSettings> {
    /// The preset. It must precede the keys with defaults that it changes.
    static var preset: Field {
        Field(
            "preset", .word, OverlandPreset.allCases.map(\.rawValue).inWords, isOptional: true,
            read: { table, settings in
                guard !table.isOff("preset"), let preset: OverlandPreset = table.choice("preset") else { return }
                settings.adopt(preset)
            },
            show: { $0.preset.map { .text($0.rawValue) } ?? .word("null") })
    }
}

extension OverlandSettings {
    /// Sets the values that a receiver needs.
    mutating func adopt(_ preset: OverlandPreset) {
        self.preset = preset
        configuration.adopt(preset.parts)
    }

    /// The address with the path of the receiver.
    var address: String { preset?.parts.address(for: url) ?? url }
}
