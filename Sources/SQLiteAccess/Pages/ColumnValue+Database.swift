import FoundationEssentials
package import GRDB

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
            case .integer(let number): number.databaseValue
            case .real(let number): number.databaseValue
            case .text: (value.string ?? "").databaseValue
            case .blob(let bytes): Data(bytes).databaseValue
            }
    }
}
