import TrackEngineSettings

extension StatusView {
    /// What a source or sink says about itself, below what the engine says about it.
    static func lines(_ items: [StatusItem], _ style: StatusStyle) -> [String] {
        let pieces = items.compactMap { item in item.text.map { StyledText($0, StyledText.Tone(item.tone)) } }
        return pieces.isEmpty ? [] : pieces.lines(behind: "", indent: indent, style)
    }
}

extension StyledText.Tone {
    fileprivate init(_ tone: StatusItem.Tone) {
        self =
            switch tone {
            case .plain: .plain
            case .good: .good
            case .warning: .warning
            case .bad: .bad
            case .faint: .faint
            }
    }
}
