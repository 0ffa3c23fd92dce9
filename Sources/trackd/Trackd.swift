import TrackEngineAgent

/// The agent: position fixes in, a durable track out.
@main
struct Trackd {
    static func main() async {
        await Agent(name: "trackd", build: build, plugins: .standard).main()
    }
}
