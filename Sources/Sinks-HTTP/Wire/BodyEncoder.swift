package import TrackEngine

/// Encodes the body of a request: the same records always give the same bytes.
package struct BodyEncoder: Sendable {
    private enum Format: Sendable {
        case overland(OverlandFeature, OverlandEvent)
        case trace(TraceFeature)
        case calmgeo

        static func overland(_ configuration: OverlandSink.Configuration) -> Format {
            let feature = OverlandFeature(configuration)
            return .overland(feature, OverlandEvent(feature, configuration.timestampPrecision))
        }
    }

    private let format: Format
    /// Whether the envelope contains the current trip.
    private let namesTrips: Bool

    package init(_ configuration: OverlandSink.Configuration) {
        namesTrips = configuration.events.contains(.trip)
        format =
            switch configuration.profile {
            case .overland: .overland(configuration)
            case .trace: .trace(TraceFeature(configuration))
            case .calmgeo: .calmgeo
            }
    }

    /// The body for records that all have a position, and for a newer record if the batch does not include it.
    package func body(_ records: [TrackRecord], current: TrackRecord?) -> [UInt8] {
        var writer = JSONWriter(capacity: 64 + 512 * (records.count + (current == nil ? 0 : 1)))
        switch format {
        case .overland(let feature, let event):
            writer.raw(#"{"locations":"#)
            writer.array(of: records, event.write)
            if let current {
                writer.raw(#","current":"#)
                feature.writeAlone(current, &writer)
            }
            // The app includes the trip in each batch while it lasts, and receivers forget it with the first batch
            // without one.
            if namesTrips, let newest = current ?? records.last, let trip = newest.context?.trip {
                writer.raw(#","trip":"#)
                event.writeRunning(trip, at: newest, &writer)
            }
            writer.raw("}")
        case .trace(let feature):
            writer.raw(#"{"locations":"#)
            writer.array(of: records, feature.write)
            writer.raw("}")
        case .calmgeo:
            writer.array(of: records) { CalmGeoRecord.write($0.draft, to: &$1) }
        }
        return writer.bytes
    }
}

extension JSONWriter {
    fileprivate mutating func array(of records: [TrackRecord], _ write: (TrackRecord, inout JSONWriter) -> Void) {
        raw("[")
        for index in records.indices {
            if index > 0 { raw(",") }
            write(records[index], &self)
        }
        raw("]")
    }
}
