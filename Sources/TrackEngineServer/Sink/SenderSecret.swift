import TrackEngine
import TrackEngineSettings

/// The secret of a sender that encrypts as OwnTracks' apps do: `ownTracksSecrets: {phone: {file: …}}`.
package struct SenderSecret: Sendable, Hashable {
    /// The name under which the device may send.
    let device: DeviceID
    let secret: SecretReference

    /// The most senders with a secret.
    static let maximumCount = 1000
}

extension Field<ServerSettings> {
    /// Names of devices, each with a secret.
    static var ownTracksSecrets: Field {
        Field(
            "ownTracksSecrets", .table, "at most \(SenderSecret.maximumCount) names of devices with secrets",
            read: { table, sink in
                sink.ownTracksSecrets = table.table("ownTracksSecrets") { part in part.senderSecrets() }
            },
            show: { sink in
                .table(sink.ownTracksSecrets.map { .init(key: $0.device.rawValue, value: .secret($0.secret)) })
            })
    }
}

extension TableDecoder {
    fileprivate mutating func senderSecrets() -> [SenderSecret] {
        let members = allMembers()
        if members.count > SenderSecret.maximumCount, let first = members.first {
            let expectation = "\(path): expected at most \(SenderSecret.maximumCount) devices"
            report.add(ReportedProblem(first.node.origin, expectation))
        }
        return members.prefix(SenderSecret.maximumCount).compactMap { member in
            let key = fullKey(member.key.shownAsKey)
            guard AccessList.isName(DeviceID(rawValue: member.key)) else {
                let problem = ConfigurationProblem(
                    key: key, value: "***", expectation: "the name of a device, of 1 to 64 bytes in one line")
                report.add(ReportedProblem(member.node.origin, problem))
                return nil
            }
            return secret(key, member.node).map { SenderSecret(device: DeviceID(rawValue: member.key), secret: $0) }
        }
    }
}
