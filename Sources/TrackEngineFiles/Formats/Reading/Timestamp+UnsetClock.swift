package import TrackEngine

extension Timestamp {
    /// Whether it is the time of a clock without a date, and not of a recording by satellites: before 1990, or on
    /// 2000-01-01 in any zone.
    ///
    /// | date | is the first day of |
    /// |---|---|
    /// | 1899-12-30 | spreadsheets and Delphi |
    /// | 1970-01-01 | Unix |
    /// | 1980-01-01, 1980-01-06 | FAT; GPS with an unknown week |
    /// | 2000-01-01 | many clocks in receivers |
    package var isOfUnsetClock: Bool { self < Self.firstRecordings || Self.turnOfTheCentury.contains(self) }

    /// 1990-01-01.
    private static let firstRecordings = Timestamp(secondsSince1970: 631_152_000)
    /// 2000-01-01 from its begin 14 hours ahead of UTC to its end 12 hours behind.
    private static let turnOfTheCentury =
        Timestamp(secondsSince1970: 946_684_800 - 14 * 3600)..<Timestamp(secondsSince1970: 946_771_200 + 12 * 3600)
}
