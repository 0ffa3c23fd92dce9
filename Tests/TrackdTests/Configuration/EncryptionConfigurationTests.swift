import TestSupport
import Testing
import TrackEngineAgent
import TrackEngineSQLite

/// What `store.encryption` may be: with a key, or `null`. Nothing in between means plain.
@Suite struct EncryptionConfigurationTests {
    @Test(arguments: [
        "{}", "{key: {}}", "{key: null}", "{key: {file: /key, env: KEY}}", "{key: 0102}", "{kye: {file: /key}}",
    ])
    func `a section without one place for a key is refused`(_ section: String) {
        let problems = Given.problems("store: {path: /state, encryption: \(section)}")
        #expect(problems.count == (section.contains("kye") ? 2 : 1), "\(problems)")
        #expect(problems.contains { $0.hasPrefix("trackd.yaml:1: store.encryption.key = ") }, "\(problems)")
        expectMessages(problems, as: "encryption \(section)")
    }

    @Test(arguments: ["{key: {file: /key}}", "{key: {credential: key}}", "{key: {env: KEY}}", "null"])
    func `one place is a key, and null is none`(_ section: String) throws {
        let configuration = try Given.configuration("store: {path: /state, encryption: \(section)}")
        #expect(configuration.store.kind.sealsRecords == (section != "null"))
    }

    @Test func `a key of a higher layer completes a section, and null of a higher layer ends it`() throws {
        let completed = try Given.configuration(
            "store: {encryption: {}}", options: ["store.encryption.key.file=/key"])
        #expect(completed.store.kind.sealsRecords)
        let ended = try Given.configuration(
            "store: {encryption: {key: {file: /key}}}", options: ["store.encryption=null"])
        #expect(!ended.store.kind.sealsRecords)
    }

    @Test func `what check shows can be read again`() throws {
        for section in ["null", "{key: {file: /key}}"] {
            let configuration = try Given.configuration("store: {path: /state, encryption: \(section)}")
            #expect(Given.problems(configuration.effectiveYAML) == [], "\(configuration.effectiveYAML)")
        }
    }
}
