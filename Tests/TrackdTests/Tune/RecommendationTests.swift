import TestSupport
import Testing
import TrackEngine
import TrackEngineAgent
import TrackEngineFiles
import TrackEngineSettings
import TrackEngineTune

@Suite struct RecommendationTests {
    @Test(
        arguments: [
            (0.5, nil), (1, 1.0), (2, 1), (3.9, 3), (4, 4), (16, 4),
        ] as [(Double, Double?)])
    func `bisection finds the last setting that is fine`(limit: Double, found: Double?) {
        var tries = 0
        let best = ValueSearch.last(of: [1, 3, 4]) { (setting: Double) -> Double? in
            tries += 1
            return setting
        } where: {
            $0 <= limit
        }
        #expect(best == found)
        #expect(tries <= 3)
    }

    @Test func `the first that is fine is found from the other side`() {
        let ladder = RuleList.ladder
        for limit in ladder { #expect(ValueSearch.first(of: ladder, { $0 }, where: { $0 >= limit }) == limit) }
        #expect(ValueSearch.first(of: ladder, { $0 }, where: { _ in false }) == nil)
    }

    @Test func `every recommendation for an error keeps it, and the promise is among them`() throws {
        for metres in [1.0, 7, 10, 40] {
            let tuning = try SampleTrack.tuning([.error(metres)])
            let recommendation = try #require(tuning.recommendations.first)
            #expect(!recommendation.choices.isEmpty)
            #expect(recommendation.choices.allSatisfy { $0.error.largest <= metres })
            #expect(recommendation.choices.contains { $0.rule.bound.map { $0 <= metres } ?? false })
            let bytes = recommendation.choices.map(\.bytes.overland)
            #expect(bytes == bytes.sorted())
            #expect(tuning.wantedError == metres)
        }
    }

    @Test func `every recommendation for a budget keeps it, truest first`() throws {
        let tuning = try SampleTrack.tuning([.megabytesPerMonth(60)])
        let recommendation = try #require(tuning.recommendations.first)
        #expect(!recommendation.choices.isEmpty)
        #expect(recommendation.choices.allSatisfy { tuning.megabytesPerMonth($0).map { $0 <= 60 } ?? false })
        let errors = recommendation.choices.map(\.error.largest)
        #expect(errors == errors.sorted())
    }

    @Test func `where nothing will do, it says so`() throws {
        let tuning = try SampleTrack.tuning([.megabytesPerMonth(0.1)])
        let recommendation = try #require(tuning.recommendations.first)
        #expect(recommendation.best == nil)
        let words = RecommendationText(recommendation, tuning)
        expectMessage(words.heading, as: "the heading where nothing will do")
        expectMessage(words.sentences.first, as: "the reason where nothing will do")
    }

    @Test func `a month's megabytes, worked out by hand`() {
        // 1000 bytes in half an hour are 2000 an hour, in 730.5 hours 1.461 MB; in 40 hours 0.08.
        #expect(TransferBudget().megabytes(1000, in: 0.5) == 1.461)
        #expect(TransferBudget(hoursPerMonth: 40).megabytes(1000, in: 0.5) == 0.08)
        #expect(TransferBudget().megabytes(1000, in: 0) == nil)
    }

    @Test func `the settings shown are those that the configuration file takes, and give the same rule`() throws {
        for rule in RuleList.rules(on: RecordingConfiguration()) {
            let read = try Given.configuration(rule.yaml).tracking
            #expect(RuleSettings(read).label == rule.label)
            #expect(read.record == rule.kind)
        }
    }

    @Test func `the catalogue begins with the user's own rule and has none twice`() {
        var own = RecordingConfiguration()
        own.record = .deviation
        own.maximumDeviation = 10
        let labels = RuleList.rules(on: own).map(\.label)
        #expect(labels.first == "deviation 10 m")
        #expect(Set(labels).count == labels.count)
    }
}
