import TrackEngine
package import TrackEngineSettings

extension OverlandSettings {
    /// What the sink's own rules find wrong, with stand-ins for what is known only when it is made.
    package mutating func check(_ table: inout TableDecoder) {
        rejectTokens(in: &table)
        reject(configuration(device: "device", credentials: standIns).problems, in: &table)
        if let path = Endpoint(ifReadable: url)?.target.prefix(while: { $0 != "?" }), let link = preset?.parts.link,
            path == "/" || path.contains("/apps/phonetrack"), !path.contains(link.mark)
        {
            table.reject("url", "***", link.expectation)
        }
    }
}
