import TrackEngine

struct LineFormat {
    private var writer = JSONWriter(capacity: 128)

    mutating func line(of record: TrackRecord) -> [UInt8] {
        writer.removeAll()
        writer.raw(#"{"id":"#)
        writer.recordID(record.id)
        writer.raw(#","time":"#)
        writer.time(record.fix.time, .milliseconds)
        writer.raw(#","latitude":"#)
        writer.number(record.fix.coordinate.latitude, decimals: 7)
        writer.raw(#","longitude":"#)
        writer.number(record.fix.coordinate.longitude, decimals: 7)
        if let speed = record.fix.speed {
            writer.raw(#","speed":"#)
            writer.number(speed, decimals: 2)
        }
        writer.raw("}\n")
        return writer.bytes
    }
}
