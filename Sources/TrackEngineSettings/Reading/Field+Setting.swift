package import TrackEngine

extension Field {
    /// The field of a setting, with its name, rule and meaning.
    package init(_ setting: Setting<Section>) {
        let name = setting.name
        let field: Field =
            switch setting.rule {
            case .flag(let path): .flag(name, path)
            case .accuracy(let path): .desiredAccuracy(name, path)
            case .record(let path): .choice(name, path)
            case .integer(let path, let range, let unit): .integer(name, path, range, unit)
            case .optionalInteger(let path, let range, let unit): .integer(name, path, range, unit)
            case .limit(let path, let range): .bytes(name, path, range)
            case .number(let path, let range, let unit): .number(name, path, range, unit)
            case .positive(let path, let bound, let unit): .positive(name, path, upTo: bound, unit)
            case .optionalPositive(let path, let bound, let unit): .positive(name, path, upTo: bound, unit)
            case .seconds(let path, let range): .seconds(name, path, range)
            case .optionalSeconds(let path, let range): .seconds(name, path, range)
            }
        self = field.meaning(setting.meaning)
    }
}
