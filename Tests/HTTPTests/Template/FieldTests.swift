import Testing
import TrackEngine
import TrackEngineHTTP

@Suite("Fields of templates")
struct FieldTests {
    @Test(arguments: [
        ("latitude", "53.5503322"), ("longitude", "9.9871234"), ("latitude:3", "53.55"), ("altitude", "12.5"),
        ("altitude:ft", "41"), ("altitude:ft:2", "41.01"), ("ellipsoidalAltitude", "56"), ("accuracy", "4.6"),
        ("verticalAccuracy", "7.5"), ("speed", "3.43"), ("speed:m/s:1", "3.4"), ("speed:km/h", "12.34"),
        ("speed:knots", "6.67"), ("speed:mph", "7.67"), ("speed:0", "3"), ("speedAccuracy", "0.52"),
        ("course", "359.7"), ("course:0", "0"), ("courseAccuracy", "12.3"), ("hdop", "0.8"), ("satellites", "9"),
        ("time", "2026-03-01T10:00:00Z"), ("time:isoMilliseconds", "2026-03-01T10:00:00.987Z"),
        ("time:epoch", "1772359200"), ("time:epoch:3", "1772359200.988"), ("time:epochMilliseconds", "1772359200987"),
        ("time:epochNanoseconds", "1772359200987654321"), ("battery", "0.64"), ("battery:percent", "64"),
        ("batteryState", "unplugged"), ("charging", "false"), ("charging:number", "0"), ("moving", "true"),
        ("activity", "walking"), ("cause", "distance"), ("odometer", "18342.7"), ("odometer:km", "18.343"),
        ("odometer:mi", "11.398"), ("simulated", "false"), ("id", "00112233-4455-8677-8899-AABBCCDDEEFF"),
        ("id:lower", "00112233-4455-8677-8899-aabbccddeeff"), ("sequence", "1"), ("source", "gps"),
        ("device", "van-7"), ("count", "1"),
    ])
    func `a field is written in its unit`(_ field: String, _ written: String) throws {
        #expect(try TemplateSamples.body("%{\(field)}", .text) == written)
    }

    @Test func `what is unknown is null in JSON and nothing elsewhere`() throws {
        #expect(
            try TemplateSamples.body(#"{"a":%{speed},"b":"%{speed}"}"#, .json, Samples.bare) == #"{"a":null,"b":""}"#)
        #expect(try TemplateSamples.body("a=%{speed}&b=1", .form, Samples.bare) == "a=&b=1")
        #expect(try TemplateSamples.body("%{speed},1", .csv, Samples.bare) == ",1")
        #expect(try TemplateSamples.body("-%{speed}-", .text, Samples.bare) == "--")
        #expect(
            try TemplateSamples.body(
                "m x=%{longitude},a=%{altitude|0},s=%{speed|-1.5},b=%{batteryState|none}", .influx, Samples.bare)
                == #"m x=-151.2093,a=0,s=-1.5,b="none""#)
        #expect(
            try TemplateSamples.body("m,t=%{activity} s=%{speed},x=%{longitude}", .influx, Samples.bare)
                == "m x=-151.2093")
    }

    @Test func `a question mark leaves the member, element or parameter out`() throws {
        #expect(
            try TemplateSamples.body(
                #"{"a":%{speed?},"b":["%{activity?}",1],"c":"x%{event?}","d":2}"#, .json, Samples.bare)
                == #"{"b":[1],"d":2}"#)
        #expect(try TemplateSamples.body("a=%{speed?}&b=1", .form, Samples.bare) == "b=1")
        let request = try TemplateSamples.request(
            Samples.bare,
            TemplateSamples.configuration("http://127.0.0.1:9/in?lat=%{latitude}&v=%{speed?}&lon=%{longitude}"))
        #expect(request.url == "http://127.0.0.1:9/in?lat=-33.8688&lon=-151.2093")
    }

    @Test func `a text behind a bar stands for what is unknown, in JSON as the number that it is`() throws {
        let template = #"{"a":%{speed|-1},"b":%{activity|none},"c":"%{altitude|?}"}"#
        #expect(try TemplateSamples.body(template, .json, Samples.bare) == #"{"a":-1,"b":"none","c":"?"}"#)
        #expect(try TemplateSamples.body("%{speed|-1}", .csv, Samples.bare) == "-1")
    }

    @Test func `two percent signs before a brace stand for one`() throws {
        #expect(try TemplateSamples.body("100%, %%{time} %{device}", .text) == "100%, %{time} van-7")
        #expect(try TemplateSamples.body(#"{"a":"%%{time}"}"#) == #"{"a":"%{time}"}"#)
    }

    @Test(arguments: [
        ("%{latitud}", "did you mean latitude?"), ("%{}", "a field of latitude"), ("%{speed", "a } behind each %{"),
        ("%{speed:ft}", "m/s, km/h, knots, mph, 0 to 9 decimals behind %{speed}"),
        ("%{time:percent}", "iso, isoMilliseconds, epoch"), ("%{time:epochMilliseconds:2}", "behind %{time}"),
        ("%{latitude:10}", "0 to 9 decimals behind %{latitude}"), ("%{device:3}", "lower behind %{device}"),
    ])
    func `a field that does not exist says what does`(_ template: String, _ expected: String) throws {
        let problem = try #require(TemplateSamples.problem(template, .text))
        #expect(problem.contains(expected), "\(problem)")
    }
}
