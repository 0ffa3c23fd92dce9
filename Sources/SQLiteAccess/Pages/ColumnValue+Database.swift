extension ColumnValue {
    /// The text; `nil` for another value and for bytes that are no text.
    package var string: String? {
        guard case .text(let bytes) = self else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }
}

extension DatabaseValue {
    /// A copy of a value of a page, with an empty text in place of bytes that are no text.
    package init(copying value: ColumnValue) {
        self =
            switch value {
            case .null: .null
            case .integer(let number): .integer(number)
            case .real(let number): .real(number)
            case .text: .text(value.string ?? "")
            case .blob(let bytes): .blob(Array(bytes))
            }
    }
}
