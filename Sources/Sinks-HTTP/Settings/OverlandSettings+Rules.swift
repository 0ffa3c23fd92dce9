import TrackEngine
package import TrackEngineSettings

extension OverlandSettings {
    /// Reports the problems that the sink's own rules find, with placeholders for values that are known only when
    /// the sink is made.
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
