import TrackEngineAgent

/// `trackd` with a source for the CAN bus and a sink that writes lines.
@main
struct CustomAgent {
    static func main() async {
        await Agent(name: "custom-agent", version: "1.0.0", plugins: .standard + [CANSource.plugin] + [LineSink.plugin])
            .main()
    }
}
