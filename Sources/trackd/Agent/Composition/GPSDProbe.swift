/// Finds out whether gpsd answers, for an agent that was not told where its fixes come from.
package enum GPSDProbe {
    /// Whether something greets like gpsd, `{"class":"VERSION",…}`, on a port of this machine within a second.
    package static func answers(port: UInt16, poller: DescriptorPoller) async -> Bool {
        guard let descriptor = try? LoopbackSocket.connect(port: port) else { return false }  // nobody listens
        guard await poller.wait(until: .writable, descriptor, within: .seconds(1)) == .ready else { return false }
        var stream = LineStream(descriptor, poller: poller, longestLine: 4096)
        let greeting = try? await stream.readLine(within: .seconds(1))  // whatever fails is not gpsd
        return greeting?.starts(with: Array(#"{"class":"VERSION""#.utf8)) ?? false
    }
}
