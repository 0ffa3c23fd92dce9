import TrackEngine
import TrackEngineSettings

/// The viewers, for commands that change them.
extension ServerRegistry: ViewerRegistry {
    var viewers: [String] {
        access.readers.viewers.map { viewer in
            let devices = viewer.rights.devices?.map(\.rawValue).joined(separator: ", ") ?? "all devices"
            return "\(viewer.name)  \(viewer.rights.mayEdit ? "edits" : "looks at") \(devices)"
        }
    }

    var sessions: [String] {
        access.sessions.map { session in
            let who = session.viewer ?? (session.mayEdit ? "key for editing" : "key for reading")
            return "\(session.id)  \(who)  \(session.begin.rfc3339(.seconds)) to \(session.end.rfc3339(.seconds))"
        }
    }

    var audit: [String] {
        get throws(DeviceRegistryError) {
            do throws(PrivateFileError) { return try access.audit.lines() } catch {
                throw DeviceRegistryError(error.description)
            }
        }
    }

    func link(of viewer: String?, mayEdit: Bool, listening: String?) throws(DeviceRegistryError) -> Secret {
        let token = try changing { () throws(ServerError) in try access.makeLink(for: viewer, mayEdit: mayEdit) }
        let whose = viewer.map { " of \($0)" } ?? ""
        access.audit.note("a link\(whose) to \(mayEdit ? "edit" : "look") was made", by: Self.command)
        return address("once", token, listening: listening)
    }

    func admitViewer(_ name: String, mayEdit: Bool, devices: [DeviceID]?) throws(DeviceRegistryError) {
        try changing { () throws(ServerError) in
            try access.addViewer(name, mayEdit: mayEdit, devices: devices)
        }
        access.audit.note("the viewer \(name) was added", by: Self.command)
    }

    func dismissViewer(_ name: String) throws(DeviceRegistryError) -> Bool {
        let wasThere = try changing { () throws(ServerError) in try access.removeViewer(name) }
        if wasThere { access.audit.note("the viewer \(name) was removed", by: Self.command) }
        return wasThere
    }

    func endSessions(_ id: String?) throws(DeviceRegistryError) -> Int {
        let count = try changing { () throws(ServerError) in try access.endSessions(id) }
        if count > 0 { access.audit.note("\(count) sessions were ended", by: Self.command) }
        return count
    }

    func renewKeys() throws(DeviceRegistryError) {
        try changing { () throws(ServerError) in try access.renewKeys() }
        access.audit.note("the keys were renewed", by: Self.command)
    }
}
