import Glibc
package import TrackEngine
import TrackEngineSettings

/// The device id of a machine without a configured one: made once, then saved in the state directory.
package enum DeviceIdentity {
    /// The file's name within the state directory.
    package static let fileName = "device-id"

    /// The configured id, or the saved one, or a new one, which is saved.
    ///
    /// - Throws: a problem with the file. A file without a valid id is not overwritten: servers may know its old
    ///   content.
    package static func resolve(
        _ configuration: AgentConfiguration, using generator: inout some RandomNumberGenerator
    ) throws(DeviceIdentityError) -> DeviceID {
        if let id = configuration.device.id { return DeviceID(rawValue: id) }
        return try kept(in: configuration.store.path, using: &generator)
    }

    /// The reason why the saved id cannot be used; `nil` if it can, or if there is none yet.
    static func problem(in directory: String) -> ConfigurationProblem? {
        do throws(DeviceIdentityError) {
            _ = try read("\(directory)/\(fileName)")
            return nil
        } catch {
            return ConfigurationProblem(
                key: "device.id", value: "null", expectation: "an id, or the kept one to be usable: \(error)")
        }
    }

    /// The configured or the saved id, or a placeholder if there is none yet. Writes no file.
    static func present(_ configuration: AgentConfiguration) -> DeviceID {
        if let id = configuration.device.id { return DeviceID(rawValue: id) }
        // A file that another user owns, or without a valid id, is no fault of the configuration; `run` reports it.
        let kept = try? read("\(configuration.store.path)/\(fileName)")
        return kept ?? "track-000000000000"
    }

    static func kept(
        in directory: String, using generator: inout some RandomNumberGenerator
    ) throws(DeviceIdentityError) -> DeviceID {
        let path = "\(directory)/\(fileName)"
        if let id = try read(path) { return id }
        do throws(FileProblem) {
            try StateDirectory.create(directory)
            let id = "track-" + hexadecimal(generator.next())
            try AtomicFile.write(Array("\(id)\n".utf8), to: path, isForOwner: true, .creating)
            return DeviceID(rawValue: id)
        } catch {
            // Another process may have been faster; then its id counts.
            if error.code == EEXIST, let id = try read(path) { return id }
            throw DeviceIdentityError(description: "\(error)")
        }
    }

    private static func read(_ path: String) throws(DeviceIdentityError) -> DeviceID? {
        do throws(FileContent.Failure) {
            let file = try FileContent.read(path, limit: 1024)
            let text = String(decoding: file.bytes, as: UTF8.self).prefix { $0 != "\n" }
            guard TextRule.device.isSatisfied(by: String(text)) else {
                throw .notRegular
            }
            return DeviceID(rawValue: String(text))
        } catch .missing {
            return nil
        } catch {
            throw DeviceIdentityError(description: "\(path): expected a file with \(TextRule.device.expectation)")
        }
    }

    /// 12 digits: 48 bits, so a thousand devices share an id once in half a billion fleets.
    private static func hexadecimal(_ number: UInt64) -> String {
        let text = String(number & 0xffff_ffff_ffff, radix: 16)
        return String(repeating: "0", count: 12 - text.count) + text
    }
}

/// A device id that can be neither read nor made.
package struct DeviceIdentityError: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String
}
