package import TrackEngine

/// Writes the transition message of OwnTracks: `{"_type":"transition",…}`, a place that was entered or left.
///
/// | member | from |
/// |---|---|
/// | `_id` | the record's id, the same for a repetition |
/// | `tst`, `lat`, `lon`, `acc` | the fix of the transition |
/// | `wtst` | when the place was made, by which the apps identify it; if unknown, 1: it must not change |
/// | `event` | `enter` or `leave` |
/// | `desc`, `rid` | the place's name and id; Home Assistant requires the name |
/// | `t` | `c`, a circle: the only kind of area in the apps |
package struct TransitionMessage: Sendable {
    private let assumedAccuracy: Int64
    private let trackerID: String

    /// Creates a writer for the messages of one device; parameters as for ``LocationMessage``.
    package init(trackerID: String, assumedAccuracy: Int) {
        self.trackerID = trackerID
        self.assumedAccuracy = Int64(assumedAccuracy)
    }

    /// The message of a record; `nil` for one without a place that was entered or left.
    package func payload(of record: TrackRecord, quotedTopic: [UInt8]) -> [UInt8]? {
        guard case .transition(let transition) = record.content else { return nil }
        let event: StaticString
        switch transition.event {
        case .enter: event = #","event":"enter""#
        case .leave: event = #","event":"leave""#
        case .dwell: return nil
        }
        let fix = record.fix
        var writer = JSONWriter(capacity: 320)
        writer.raw(#"{"_type":"transition","_id":"#)
        writer.recordID(record.id)
        writer.member(#","lat":"#, fix.coordinate.latitude, decimals: 7)
        writer.member(#","lon":"#, fix.coordinate.longitude, decimals: 7)
        writer.member(#","tst":"#, fix.time.secondsSince1970)
        writer.member(#","wtst":"#, transition.created?.secondsSince1970 ?? 1)
        writer.member(#","acc":"#, fix.horizontalAccuracy.map { max($0.wholeNumber, 1) } ?? assumedAccuracy)
        writer.raw(event)
        writer.member(#","desc":"#, transition.place.name)
        writer.member(#","rid":"#, transition.place.id)
        writer.member(#","t":"c","tid":"#, trackerID)
        writer.raw(#","topic":"#)
        writer.raw(quotedTopic)
        writer.raw("}")
        return writer.bytes.jsonInASCII
    }
}
