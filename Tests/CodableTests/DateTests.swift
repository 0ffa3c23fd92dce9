import Foundation
import Testing
import TrackEngine
import TrackEngineIntegrations

@Suite struct DateTests {
    @Test func `a moment becomes the date, and the date the moment, to the microsecond`() {
        #expect(Date(Timestamp(secondsSince1970: 978_307_200)) == Date(timeIntervalSinceReferenceDate: 0))
        #expect(Date(Timestamp(secondsSince1970: 0)) == Date(timeIntervalSince1970: 0))
        #expect(Timestamp(Date(timeIntervalSince1970: 1_772_359_200.5)).rfc3339() == "2026-03-01T10:00:00.500Z")
        for nanoseconds in [0, 1_000, 987_654_000, 999_999_000] as [Int64] {
            for seconds in [-5_000_000_000, -1, 0, 1_772_359_200, 4_000_000_000] as [Int64] {
                let time = Timestamp(secondsSince1970: seconds, nanoseconds: nanoseconds)
                let again = Timestamp(Date(time))
                let difference = again.duration(since: time)
                #expect(difference < .microseconds(1) && difference > .microseconds(-1), "\(time) \(again)")
            }
        }
    }

    @Test func `a date that no timestamp can hold becomes the nearest`() {
        let (first, last) = (Timestamp(nanosecondsSince1970: .min), Timestamp(nanosecondsSince1970: .max))
        #expect(Timestamp(Date.distantFuture) == last && Timestamp(Date.distantPast) == first)
        #expect(Timestamp(Date(timeIntervalSince1970: .infinity)) == last)
        #expect(Timestamp(Date(timeIntervalSince1970: .nan)) == first)
    }

    @Test func `the age of a record is the time since its fix`() {
        let now = Date(timeIntervalSince1970: 1_772_359_260.987_654_321)
        #expect(abs(age(of: Samples.record, at: now) - 60) < 0.001)
    }
}
