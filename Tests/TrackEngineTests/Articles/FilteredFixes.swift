import TrackEngine

func filtered(_ fixes: some Sequence<Fix>, by configuration: RecordingConfiguration = .calmGeo) -> [Fix] {
    var kept: [Fix] = []
    for record in fixes.track(configuration) { kept.append(record.fix) }
    return kept
}

func reasons(_ fixes: some Sequence<Fix>, by rules: RecordingConfiguration = .calmGeo) -> [RejectionReason: Int] {
    var reasons: [RejectionReason: Int] = [:]
    for (_, decision) in fixes.track(rules).decisions {
        if case .reject(let reason) = decision { reasons[reason, default: 0] += 1 }
    }
    return reasons
}
