package import TrackEngine

/// The payload of a stored record: all fields except its sequence, id and time, which are separate columns.
///
/// It ends with the state of the source's pipeline if the record is the last of an append with a checkpoint.
///
/// All numbers are little-endian: version (1 byte), presence bits (4), latitude and longitude (IEEE 754, 8 each),
/// cause and flags (1 each), the optional fields that are present, in the order of ``Field``, and the source's name
/// (length in 2 bytes, UTF-8). A plain moving fix with altitude, accuracy, speed and course takes about 60 bytes.
package enum RecordCodec {
    package static let version: UInt8 = 1
    /// The version of a payload with events. Releases without events do not know it and reject it.
    static let eventVersion: UInt8 = 2
    /// The version of a payload with a context, which releases without contexts do not know.
    static let contextVersion: UInt8 = 3
    /// The version of a payload with a wireless network, which releases without networks do not know.
    package static let wifiVersion: UInt8 = 4

    /// The optional fields, by their presence bit; `isMoving` has only the bit.
    enum Field: UInt32 {
        case isMoving, altitude, ellipsoidalAltitude, horizontalAccuracy, verticalAccuracy, speed, speedAccuracy
        case course, courseAccuracy, horizontalDilution, positionDilution, satellitesUsed, satellitesVisible
        case mode, status, fixActivity, event, activity, host, batteryLevel, odometer
        case state, detector, content, context, wifi, accessPoint

        var bit: UInt32 { 1 << rawValue }
    }

    package static func encode(_ draft: RecordDraft, state: PipelineState? = nil) -> [UInt8] {
        ByteWriter.array(room: room(for: draft) + (state?.room ?? 0)) { write(draft, state: state, to: &$0) }
    }

    /// The maximum size of a record in bytes: all optional fields, a state except a detector's, and the source's name.
    static func room(for draft: RecordDraft) -> Int {
        var room = 139 + min(draft.source.rawValue.utf8.count, Int(UInt16.max))
        if let context = draft.context { room += ContentCodec.room(for: context) }
        if let wifi = draft.host?.wifi { room += 10 + wifi.ssid.utf8.count }
        return draft.kind == .location ? room : room + ContentCodec.room(for: draft.content)
    }

    static func write(_ draft: RecordDraft, state: PipelineState?, to writer: inout ByteWriter) {
        let hasEvents = draft.kind != .location || state?.detectorState.isEmpty == false
        let earlier = draft.context != nil ? contextVersion : hasEvents ? eventVersion : version
        writer.write(draft.host?.wifi != nil ? wifiVersion : earlier)
        let offset = writer.count
        writer.write(UInt32(0))  // presence bits, known at the end
        writer.write(draft.fix.coordinate.latitude)
        writer.write(draft.fix.coordinate.longitude)
        writer.write(draft.cause.rawValue)
        writer.write(draft.fix.flags.rawValue)
        var fields = OptionalFields(writer: writer)
        if draft.isMoving { fields.mark(.isMoving) }
        fields.write(draft.fix)
        fields.write(draft)
        if let state { fields.write(state) }
        if draft.kind != .location { fields.write(draft.content) }
        if let context = draft.context { fields.write(context) }
        if let wifi = draft.host?.wifi { fields.write(wifi) }
        writer = fields.writer
        writer.write(draft.source.rawValue)
        writer.replace(at: offset, with: fields.presence)
    }

    package static func decode(
        _ bytes: [UInt8], id: RecordID, time: Timestamp
    ) throws(CodecError) -> RecordDraft {
        try decodeWithState(bytes, id: id, time: time).draft
    }

    static func decodeWithState(
        _ bytes: [UInt8], id: RecordID, time: Timestamp
    ) throws(CodecError) -> (draft: RecordDraft, state: PipelineState?) {
        var reader = ByteReader(bytes)
        let version: UInt8 = try reader.read()
        guard Self.version...Self.wifiVersion ~= version else { throw .unknownVersion(version) }
        let presence: UInt32 = try reader.read()
        var fields = OptionalFieldReader(presence: presence, reader: reader)
        let draft = try fields.draft(id: id, time: time)
        return (draft, fields.state)
    }
}

/// Writes the optional fields and records which are present.
private struct OptionalFields {
    private(set) var presence: UInt32 = 0
    private(set) var writer: ByteWriter

    init(writer: ByteWriter) { self.writer = writer }

    mutating func mark(_ field: RecordCodec.Field) { presence |= field.bit }

    mutating func write(_ number: Double?, _ field: RecordCodec.Field) {
        guard let number else { return }
        mark(field)
        writer.write(number)
    }

    mutating func write(_ number: Float?, _ field: RecordCodec.Field) {
        guard let number else { return }
        mark(field)
        writer.write(number)
    }

    mutating func write(_ number: UInt8?, _ field: RecordCodec.Field) {
        guard let number else { return }
        mark(field)
        writer.write(number)
    }

    mutating func write(_ fix: Fix) {
        write(fix.altitude, .altitude)
        write(fix.ellipsoidalAltitude, .ellipsoidalAltitude)
        write(fix.horizontalAccuracy, .horizontalAccuracy)
        write(fix.verticalAccuracy, .verticalAccuracy)
        write(fix.speed, .speed)
        write(fix.speedAccuracy, .speedAccuracy)
        write(fix.course, .course)
        write(fix.courseAccuracy, .courseAccuracy)
        write(fix.horizontalDilution, .horizontalDilution)
        write(fix.positionDilution, .positionDilution)
        write(fix.satellitesUsed, .satellitesUsed)
        write(fix.satellitesVisible, .satellitesVisible)
        write(fix.mode?.rawValue, .mode)
        write(fix.status?.rawValue, .status)
        write(fix.activity?.rawValue, .fixActivity)
    }

    mutating func write(_ draft: RecordDraft) {
        write(draft.event?.rawValue, .event)
        if let activity = draft.activity {
            write(activity.activity.rawValue, .activity)
            writer.write(activity.confidence)
        }
        if let host = draft.host {
            write(host.batteryState.rawValue, .host)
            write(host.batteryLevel, .batteryLevel)
        }
        write(draft.odometer, .odometer)
    }

    mutating func write(_ state: PipelineState) {
        mark(.state)
        writer.write(state.lastMovement.nanosecondsSince1970)
        writer.write(UInt8(state.isStandby ? 1 : 0) | (state.isForgotten ? 2 : 0))
        writer.write(state.activityState)
        guard !state.detectorState.isEmpty else { return }
        mark(.detector)
        writer.write(UInt32(state.detectorState.count))
        state.detectorState.withUnsafeBytes { writer.write($0) }
    }

    mutating func write(_ content: RecordContent) {
        mark(.content)
        ContentCodec.write(content, to: &writer)
    }

    mutating func write(_ context: RecordContext) {
        mark(.context)
        ContentCodec.write(context, to: &writer)
    }

    mutating func write(_ wifi: WifiNetwork) {
        mark(.wifi)
        writer.write(wifi.ssid)
        guard let bssid = wifi.bssid else { return }
        mark(.accessPoint)
        writer.write(bssid.rawValue)
    }
}

/// Reads the optional fields in the order in which they were written.
private struct OptionalFieldReader {
    let presence: UInt32
    var reader: ByteReader
    private(set) var state: PipelineState?

    func has(_ field: RecordCodec.Field) -> Bool { presence & field.bit != 0 }

    mutating func double(_ field: RecordCodec.Field) throws(CodecError) -> Double? {
        has(field) ? try reader.readDouble() : nil
    }

    mutating func float(_ field: RecordCodec.Field) throws(CodecError) -> Float? {
        has(field) ? try reader.readFloat() : nil
    }

    mutating func byte(_ field: RecordCodec.Field) throws(CodecError) -> UInt8? {
        has(field) ? try reader.read() : nil
    }

    mutating func choice<Choice: RawRepresentable<UInt8>>(_ field: RecordCodec.Field) throws(CodecError) -> Choice? {
        guard let byte = try byte(field) else { return nil }
        return try Choice(known: byte)
    }

    mutating func draft(id: RecordID, time: Timestamp) throws(CodecError) -> RecordDraft {
        let coordinate = Coordinate(latitude: try reader.readDouble(), longitude: try reader.readDouble())
        let cause = try RecordCause(known: try reader.read())
        let flags = Fix.Flags(rawValue: try reader.read())
        let fix = try fix(time: time, coordinate: coordinate, flags: flags)
        let event: RecordEvent? = try choice(.event)
        let activity = try activity()
        let battery = try battery()
        let odometer = try double(.odometer)
        if has(.state) {
            let movement = Timestamp(nanosecondsSince1970: try reader.read())
            let bits: UInt8 = try reader.read()
            let activityState: Int64 = try reader.read()
            state = PipelineState(
                lastMovement: movement, isStandby: bits & 1 != 0, activityState: activityState,
                detectorState: try detectorState(), isForgotten: bits & 2 != 0)
        }
        let content = has(.content) ? try ContentCodec.read(&reader) : .location
        let context = has(.context) ? try ContentCodec.readContext(&reader) : nil
        let host = try host(battery)
        let source = SourceID(rawValue: try reader.readText())
        guard reader.isAtEnd else { throw .trailingBytes }
        return RecordDraft(
            id: id, fix: fix, isMoving: has(.isMoving), event: event, cause: cause, activity: activity,
            source: source, host: host, odometer: odometer, content: content, context: context)
    }

    private mutating func detectorState() throws(CodecError) -> [UInt8] {
        guard has(.detector) else { return [] }
        let count = Int(try reader.read(UInt32.self))
        return Array(try reader.readBytes(count))
    }

    /// The initialiser's order is the format's: Swift evaluates arguments from left to right.
    private mutating func fix(
        time: Timestamp, coordinate: Coordinate, flags: Fix.Flags
    ) throws(CodecError) -> Fix {
        Fix(
            time: time, coordinate: coordinate, altitude: try double(.altitude),
            ellipsoidalAltitude: try double(.ellipsoidalAltitude),
            horizontalAccuracy: try double(.horizontalAccuracy), verticalAccuracy: try double(.verticalAccuracy),
            speed: try double(.speed), speedAccuracy: try double(.speedAccuracy), course: try double(.course),
            courseAccuracy: try double(.courseAccuracy), horizontalDilution: try float(.horizontalDilution),
            positionDilution: try float(.positionDilution), satellitesUsed: try byte(.satellitesUsed),
            satellitesVisible: try byte(.satellitesVisible), mode: try choice(.mode), status: try choice(.status),
            activity: try choice(.fixActivity), flags: flags)
    }

    private mutating func activity() throws(CodecError) -> ActivityEstimate? {
        guard let activity: Activity = try choice(.activity) else { return nil }
        return ActivityEstimate(activity, confidence: try reader.read())
    }

    private mutating func battery() throws(CodecError) -> HostStatus? {
        guard let state: HostStatus.BatteryState = try choice(.host) else { return nil }
        return HostStatus(batteryLevel: try double(.batteryLevel), batteryState: state)
    }

    /// The battery's status with the wireless network, which follows all other fields.
    private mutating func host(_ battery: HostStatus?) throws(CodecError) -> HostStatus? {
        guard let battery, has(.wifi) else { return battery }
        let ssid = try reader.readText()
        let bssid = has(.accessPoint) ? BSSID(rawValue: try reader.read()) : nil
        return HostStatus(
            batteryLevel: battery.batteryLevel, batteryState: battery.batteryState,
            wifi: WifiNetwork(ssid: ssid, bssid: bssid))
    }
}

extension RawRepresentable<UInt8> {
    init(known byte: UInt8) throws(CodecError) {
        guard let value = Self(rawValue: byte) else { throw .unknownValue(byte) }
        self = value
    }
}
