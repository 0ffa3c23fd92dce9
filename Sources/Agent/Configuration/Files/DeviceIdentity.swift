package import TrackEngine
import TrackEngineSettings

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The device id of a machine that was given none: made once, then kept in the state directory.
package enum DeviceIdentity {
    /// The file's name within the state directory.
    package static let fileName = "device-id"

    /// The configured id, or the kept one, or a new one that is kept from now on.
    ///
    /// - Throws: a problem with the file. One that holds no id is not overwritten: receivers may know its old content.
    package static func resolve(
        _ configuration: AgentConfiguration, using generator: inout some RandomNumberGenerator
    ) throws(DeviceIdentityError) -> DeviceID {
        if let id = configuration.device.id { return DeviceID(rawValue: id) }
        return try kept(in: configuration.store.path, using: &generator)
    }

    /// Why the kept id cannot be used; `nil` where it can, or where there is none yet.
    static func problem(in directory: String) -> ConfigurationProblem? {
        do throws(DeviceIdentityError) {
            _ = try read("\(directory)/\(fileName)")
            return nil
        } catch {
            return ConfigurationProblem(
                key: "device.id", value: "null", expectation: "an id, or the kept one to be usable: \(error)")
        }
    }

    /// The configured or the kept id; where there is none yet, one as it could be. Nothing is written.
    static func present(_ configuration: AgentConfiguration) -> DeviceID {
        if let id = configuration.device.id { return DeviceID(rawValue: id) }
        // A file that another user owns, or that holds no id, is no fault of the configuration; `run` names it.
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
            // Another process may have been faster: its id holds then.
            if error.code == EEXIST, let id = try read(path) { return id }
            throw DeviceIdentityError(description: "\(error)")
        }
    }

    private static func read(_ path: String) throws(DeviceIdentityError) -> DeviceID? {
        do throws(SmallFile.Failure) {
            let file = try SmallFile.read(path, limit: 1024)
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

    /// 12 digits: 48 bits, so that a thousand devices share an id once in half a billion fleets.
    private static func hexadecimal(_ number: UInt64) -> String {
        let text = String(number & 0xffff_ffff_ffff, radix: 16)
        return String(repeating: "0", count: 12 - text.count) + text
    }
}

/// A device id that can neither be read nor made.
package struct DeviceIdentityError: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String
}
