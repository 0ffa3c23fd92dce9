package import TrackEngine
import TrackEngineSettings

extension HTTPSettings: RequestSettings {
    /// The request for a sample record, as it would be sent, with three asterisks in place of secrets.
    package func sample(device: DeviceID) -> String? {
        let configuration = configuration(device: device, credentials: standIns)
        // An invalid template has been reported.
        guard let template = try? RequestTemplate(configuration),
            let request = template.isBatch ? template.request(for: [.sample]) : template.request(for: .sample)
        else { return nil }
        var lines = ["\(template.method.rawValue) \(request.endpoint.withoutSecrets)"]
        for field in RequestHeaderList.fields(of: configuration.credentials, template.style) {
            let isOurs = field.name == "Content-Type" || field.name == "User-Agent" || field.name == "Accept"
            lines.append("\(field.name): \(isOurs ? field.value : "***")")
        }
        if !request.body.isEmpty { lines += ["", String(decoding: request.body, as: UTF8.self)] }
        return lines.joined(separator: "\n")
    }
}

extension TrackRecord {
    /// A record with all values, for documentation.
    fileprivate static let sample: TrackRecord = {
        let fix = Fix(
            time: Timestamp(secondsSince1970: 1_772_359_200, nanoseconds: 987_000_000),
            coordinate: Coordinate(latitude: 52.520_008_1, longitude: 13.404_954_2),
            altitude: 34.5, ellipsoidalAltitude: 78.2, horizontalAccuracy: 4.6, verticalAccuracy: 7.5, speed: 13.89,
            speedAccuracy: 0.52, course: 271.3, courseAccuracy: 2.5, horizontalDilution: 0.8, positionDilution: 1.4,
            satellitesUsed: 9, satellitesVisible: 14)
        let draft = RecordDraft(
            id: RecordID(rawValue: 0x0011_2233_4455_8677_8899_aabb_ccdd_eeff), fix: fix, isMoving: true,
            cause: .distance, activity: ActivityEstimate(.driving, confidence: 67), source: "gpsd",
            host: HostStatus(batteryLevel: 0.64, batteryState: .unplugged), odometer: 18_342.7)
        return TrackRecord(sequence: RecordSequence(rawValue: 1), draft: draft)
    }()
}
