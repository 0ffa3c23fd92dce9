import TrackEngine

extension SimulatedDay {
    /// An event as receivers have it.
    struct Event: Hashable, CustomStringConvertible {
        /// `enter`, `leave`, `dwell`, `arrival`, `departure`, `trip_start`, `trip_end` or `heartbeat`.
        let what: String
        /// The name of the place; nothing for a heartbeat.
        let place: String
        /// Where a trip that ends began, for receivers that are told.
        var from: String?
        /// When it happened, for receivers that are told.
        var time: Timestamp?

        var description: String { "\(what) \(place)" + (from.map { " from \($0)" } ?? "") }
    }

    /// What happens on the day, in the order in which it is found: a stay is certain after three minutes, a departure after 200 m.
    /// Places come and go at the first fix that shows it; the reckoning is beside them (accuracy 5 m, hysteresis 20 m).
    static let events: [Event] =
        [event("00:00:00", "arrival", "Home")]
        + (1...7).map { event("0\($0):00:00", "heartbeat", "") }
        + [
            event("07:30:25", "leave", "Home"),  // 200 m > 150 + 25, at 40 m from fix to fix
            event("07:30:00", "departure", "Home"),
            event("07:30:00", "trip_start", "Home"),
            event("07:35:50", "enter", "School"),  // 80 m < 100
            event("07:36:00", "trip_end", "School", from: "Home"),
            event("07:36:00", "arrival", "School"),
            event("07:42:10", "leave", "School"),  // 150 m > 100 + 25, at 75 m from fix to fix
            event("07:42:00", "departure", "School"),
            event("07:42:00", "trip_start", "School"),
            event("07:47:05", "enter", "Bridge"),  // at the fix behind it
            event("07:47:05", "leave", "Bridge"),
            event("07:51:50", "enter", "Depot"),  // 150 m < 200
            event("07:52:00", "trip_end", "Depot", from: "School"),
            event("07:52:00", "arrival", "Depot"),
            event("08:01:50", "dwell", "Depot"),
            event("08:52:00", "heartbeat", ""), event("09:52:00", "heartbeat", ""),
            event("10:52:00", "heartbeat", ""), event("11:52:00", "heartbeat", ""),
            event("12:00:25", "leave", "Depot"),  // 250 m > 200 + 25, at 50 m from fix to fix
            event("12:00:00", "departure", "Depot"),
            event("12:00:00", "trip_start", "Depot"),
            // Half an hour in the yard, and past the clinic: nobody knows.
            event("12:36:30", "enter", "Quay"),  // 100 m < 120
            event("12:36:40", "trip_end", "Quay", from: "Depot"),
            event("12:36:40", "arrival", "Quay"),
            event("13:00:30", "leave", "Quay"),  // 180 m > 120 + 50: on the ferry the accuracy is 30 m
            event("13:00:00", "departure", "Quay"),
            event("13:00:00", "trip_start", "Quay"),
            // Off the ferry and through the tunnel without a stop.
            event("14:03:35", "enter", "Home"),  // 100 m < 150
            event("14:03:40", "trip_end", "Home", from: "Quay"),
            event("14:03:40", "arrival", "Home"),
        ]
        + (15...19).map { event("\($0):03:40", "heartbeat", "") }
        + [event("19:59:40", "departure", "Home")]  // the recording ends

    private static func event(_ clock: String, _ what: String, _ place: String, from: String? = nil) -> Event {
        Event(what: what, place: place, from: from, time: Timestamp(rfc3339: "2026-03-02T\(clock)Z"))
    }

    /// By how many seconds an event's time may differ from what was reckoned: a fix shows that a place was entered or left, and a
    /// stay or a trip is measured between fixes, a minute apart at rest.
    static func tolerance(_ event: Event) -> Double {
        ["enter", "leave", "dwell"].contains(event.what) ? 0 : 90
    }
}
