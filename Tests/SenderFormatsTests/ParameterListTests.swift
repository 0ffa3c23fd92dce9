import Testing
import TrackEngineServer

@Suite struct ParameterListTests {
    @Test func `Escapes are resolved, and a plus sign is a blank`() {
        let parameters = ParameterList("name=J%C3%BCrgen+K&plus=1%2B1&empty=&flag")
        #expect(parameters["name"] == "Jürgen K")
        #expect(parameters["plus"] == "1+1")
        #expect(parameters["empty"] == nil)
        #expect(parameters["flag"] == nil)
        #expect(!parameters.isEmpty)
    }

    @Test func `Of several names the first that is given counts, and of a repeated one its first value`() {
        let parameters = ParameterList("LON=1&lng=2&lat=3&lat=4")
        #expect(parameters["longitude", "lon", "lng"] == "1")
        #expect(parameters["lat"] == "3")
    }

    @Test func `A value with broken escapes is there and cannot be read, before and behind a readable one`() {
        #expect(ParameterList("lat=%zz")["lat"] == nil)
        #expect(!ParameterList("lat=%zz").isEmpty)
        #expect(ParameterList("lat=%zz&lat=5")["lat"] == nil)
        #expect(ParameterList("lat=%zz").merging(ParameterList("lat=5"))["lat"] == nil)
        #expect(ParameterList("lat=5").merging(ParameterList("lat=%zz"))["lat"] == "5")
    }

    @Test(arguments: ["", "&&", "=5", "%zz=1", "a=%", "a=%ff"])
    func `What is broken is left out`(_ text: String) {
        #expect(ParameterList(text)["a", "%zz"] == nil)
    }

    @Test func `No more than so many are read`() {
        let count = ParameterList.maximumCount
        let parameters = ParameterList((0...count).map { "n\($0)=\($0)" }.joined(separator: "&"))
        #expect(parameters["n\(count - 1)"] == "\(count - 1)")
        #expect(parameters["n\(count)"] == nil)
    }

    @Test func `What is given first wins over what is merged`() {
        let merged = ParameterList("a=1").merging(ParameterList("a=2&b=3"))
        #expect(merged["a"] == "1")
        #expect(merged["b"] == "3")
    }
}
