import TrackEngine

func printRejections(of tracker: Tracker) async {
    for await decision in tracker.decisions() {
        if case .rejected(_, _, let reason) = decision { print(reason.name) }
    }
}
