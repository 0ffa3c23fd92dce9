/// What a screen can show.
package struct StatusStyle: Sendable, Hashable {
    /// How many characters a line has.
    package var columns: Int
    /// How many lines there are; absent when there is no bound.
    package var rows: Int?
    /// Whether escape sequences for colours may be used.
    package var usesColour: Bool

    package init(columns: Int = 80, rows: Int? = nil, usesColour: Bool = false) {
        self.columns = columns
        self.rows = rows
        self.usesColour = usesColour
    }
}
