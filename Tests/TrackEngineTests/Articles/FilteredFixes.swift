import TrackEngine

func filtered(_ fixes: some Sequence<Fix>, by configuration: TrackerConfiguration = .calmGeo) -> [Fix] {
    var pipeline = TrackPipeline(configuration, timeBase: .fixTime)
    var kept: [Fix] = []
    func keep(_ fix: Fix, _ decision: Decision) {
        if case .record = decision { kept.append(fix) }
    }
    for fix in fixes {
        // What falls due between two fixes, such as the record of where the object came to rest.
        while let due = pipeline.nextTimeout(before: fix) { pipeline.timeout(at: due, decide: keep) }
        pipeline.process(fix, at: TrackInstant(fix.time), decide: keep)
    }
    pipeline.decideAll(decide: keep)
    return kept
}
