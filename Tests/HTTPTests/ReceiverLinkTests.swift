import Testing
import TrackEngine
import TrackEngineHTTP

/// Addresses as people have them: the receiver's own, with a slash, the links that its settings page shows for its own app and for
/// others, and these with the key. A preset makes of each the address that the receiver reads, or says which one it wants.
@Suite("Links that receivers show")
struct ReceiverLinkTests {
    private struct Row: Sendable {
        let preset: HTTPPreset
        /// Behind `https://r.example`; without the fields that a request fills in.
        let target: String
        let links: [String]
    }

    private static let phoneTrack = "/index.php/apps/phonetrack"
    private static let rows: [Row] = [
        Row(
            preset: .dawarich, target: "/api/v1/points",
            links: [
                "", "/", "/api/v1", "/api/v1/points", "/api/v1/points/", "/api/v1/overland/batches",
                "/api/v1/owntracks/points",
            ]),
        Row(
            preset: .dawarich, target: "/api/v1/points?api_key=K",
            links: [
                "?api_key=K", "/?api_key=K", "/api/v1/points?api_key=K", "/api/v1/overland/batches?api_key=K",
                "/api/v1/owntracks/points?api_key=K",
            ]),
        Row(
            preset: .geopulse, target: "/api/overland",
            links: ["", "/", "/api/overland", "/api/owntracks", "/api/dawarich"]),
        Row(
            preset: .reitti, target: "/api/v1/ingest/overland?token=T",
            links: ["?token=T", "/?token=T", "/api/v1/ingest/overland?token=T", "/api/v1/ingest/owntracks?token=T"]),
        Row(
            preset: .wayfinder, target: "/api/wayfinder/overland/",
            links: ["", "/", "/api/wayfinder/overland/", "/api/wayfinder/overland", "/api/wayfinder/owntracks/"]),
        Row(
            preset: .phonetrack, target: phoneTrack + "/logGet/t0ken/van",
            links: [
                "/logGet/t0ken/van", "/log/gpslogger/t0ken/van", "/log/owntracks/t0ken/van", "/log/ulogger/t0ken/van",
                "/log/traccar/t0ken/van", "/log/overland/t0ken/van", "/logPost/t0ken/van", "/log/opengts/t0ken/van/",
                "/log/gpslogger/t0ken/van?lat=%LAT&lon=%LON&sat=%SAT&alt=%ALT&acc=%ACC&speed=%SPD&bearing=%DIR&timestamp=%TIMESTAMP&bat=%BATT",
                "/log/osmand/t0ken/van?lat={0}&lon={1}&alt={4}&acc={3}&timestamp={2}&speed={5}&bearing={6}",
                "/logGet/t0ken/van?lat=LAT&lon=LON&alt=ALT&acc=ACC&bat=BAT&sat=SAT&speed=SPD&bearing=DIR&timestamp=TIME",
            ].map { phoneTrack + $0 }),
        Row(
            preset: .gpslogger, target: "/log?key=K",
            links: ["/log?key=K", "/log?lat=%LAT&longitude=%LON&time=%TIME&s=%SPD&key=K", "/log?key=K&all=%ALL"]),
        Row(preset: .homeAssistantWebhook, target: "/api/webhook/ID", links: ["/api/webhook/ID"]),
        Row(
            preset: .thingsboard, target: "/api/v1/T/telemetry",
            links: ["/api/v1/T", "/api/v1/T/", "/api/v1/T/telemetry", "/api/v1/T/telemetry/"]),
        Row(
            preset: .influx, target: "/api/v2/write?org=o&bucket=b&precision=ms",
            links: [
                "?org=o&bucket=b", "/?org=o&bucket=b", "/api/v2/write?org=o&bucket=b", "/api/v2?org=o&bucket=b",
                "/api/v2/write?org=o&bucket=b&precision=ns",
            ]),
        Row(
            preset: .influx1, target: "/write?db=d&precision=ms",
            links: ["?db=d", "/?db=d", "/write?db=d", "/write?db=d&precision=s", "/query?db=d"]),
        Row(preset: .influx1, target: "/write?db=d&u=a&p=b&precision=ms", links: ["/write?db=d&u=a&p=b"]),
    ]

    @Test func `no preset is left out`() { #expect(Set(Self.rows.map(\.preset)) == Set(HTTPPreset.allCases)) }

    @Test(arguments: HTTPPreset.allCases)
    func `a request goes where the receiver reads it`(_ preset: HTTPPreset) throws {
        for row in Self.rows where row.preset == preset {
            for link in row.links {
                let configuration = TemplateSamples.configuration("https://r.example" + link) { $0.preset = preset }
                #expect(configuration.problems == [], "\(link)")
                guard configuration.problems == [] else { continue }
                let url = try TemplateSamples.request(Samples.full, configuration).url
                let wanted = "https://r.example" + row.target
                #expect(
                    url == wanted || url.hasPrefix(wanted + (wanted.contains("?") ? "&" : "?") + "lat="),
                    "\(link): \(url)")
            }
        }
    }

    @Test func `the names in a link for GPSLogger or OsmAnd stay what the receiver reads`() throws {
        func query(_ link: String) throws -> String {
            let configuration = TemplateSamples.configuration("https://r.example/log" + link) { $0.preset = .gpslogger }
            #expect(configuration.problems == [])
            return String(try TemplateSamples.request(Samples.full, configuration).url.drop { $0 != "?" })
        }
        #expect(
            try query(
                "?lat=%LAT&lon=%LON&timestamp=%TIMESTAMP&acc=%ACC&v=%SPD_KPH&batt=%BATT&sat=%SAT&who=%AID&f=%FILENAME&k=K"
            )
                == "?k=K&lat=53.5503322&lon=9.9871234&timestamp=1772359200&acc=4.6&v=12.34&batt=64&sat=9&who=van-7")
        #expect(
            try query("?a={0}&b={1}&t={2}&r={3}&h={4}&s={5}&d={6}&eta={7}")
                == "?a=53.5503322&b=9.9871234&t=1772359200987&r=4.6&h=12.5&s=3.43&d=359.7")
        #expect(
            try query("?loc=%LAT,%LON&when=%TIMEOFFSET&v=%spd&info=%ALT;%SAT&ts=%TS&on=%CHARGING&x=%C3%A4&none=%VDOP")
                == "?x=%C3%A4&loc=53.5503322,9.9871234&when=2026-03-01T10%3A00%3A00Z&v=3.43&info=12.5;9&ts=1772359200&on=false"
        )
        #expect(try query("/%LAT/%LON/%ALT") == "")
        #expect(try query("?p={0};{1}&t={2}") == "?p=53.5503322;9.9871234&t=1772359200987")
        #expect(try query("?lat=%LAT&device=van").hasPrefix("?device=van&lat=53.5503322&longitude=9.9871234&time="))
    }

    @Test(arguments: [
        (HTTPPreset.phonetrack, "", "/apps/phonetrack/log/gpslogger/TOKEN/NAME"),
        (.phonetrack, "/apps/phonetrack/", "/apps/phonetrack/log/gpslogger/TOKEN/NAME"),
        (
            .phonetrack, "/index.php/apps/phonetrack/publicSessionWatch/t0ken",
            "/apps/phonetrack/log/gpslogger/TOKEN/NAME"
        ),
        (.homeAssistantWebhook, "/", "/api/webhook/ID"), (.thingsboard, "", "/api/v1/TOKEN"),
        (.influx, "/write?db=d", "preset: influx1"), (.influx, "", "?org=NAME&bucket=NAME"),
        (.influx1, "", "/write?db=NAME"), (.influx1, "/api/v2/write?org=o&bucket=b", "preset: influx"),
        (nil, "/log/osmand/t0ken/van?lat={0}&lon={1}", "preset: phonetrack or gpslogger"),
        (nil, "/log?lat=%LAT&longitude=%LON&time=%TIME", "preset: phonetrack or gpslogger"),
    ])
    func `an address that leads nowhere is named with the one that is wanted`(
        _ preset: HTTPPreset?, _ target: String, _ wanted: String
    ) {
        let problems = TemplateSamples.configuration("https://r.example" + target) { $0.preset = preset }.problems
        #expect(problems.map(\.key) == ["url"])
        #expect(problems.first?.expectation.contains(wanted) == true, "\(problems)")
        #expect(problems.first.map { "\($0)".contains("t0ken") } == false)
    }

    @Test(arguments: [
        ("?lat=%LAT&lon=%LON&t=%DATE-%TIME", "%DATE"), ("?loc=%LAT,%LON,%PROV", "%PROV"),
        ("/%FILENAME?a=%LAT,%LON", "%FILENAME"),
    ])
    func `a word of GPSLogger without a field of ours is named`(_ target: String, _ word: String) {
        let problems = TemplateSamples.configuration("https://r.example/log" + target) { $0.preset = .gpslogger }
            .problems
        #expect(problems.map(\.key) == ["url"])
        #expect(problems.first?.expectation.contains("no \(word) ") == true)
    }

    /// https://gpslogger.app and GPSLogger's CustomUrlManager.
    @Test(arguments: [
        "LAT", "LON", "SAT", "DESC", "ALT", "ACC", "DIR", "PROV", "SPD", "SPD_KPH", "TIMESTAMP", "TIMEOFFSET", "TIME",
        "DATE", "STARTTIMESTAMP", "BATT", "BATTCHARGING", "CHARGING", "ISCHARGING", "AID", "SER", "ACT", "FILENAME",
        "PROFILE", "HDOP", "VDOP", "PDOP", "DIST", "ALL",
    ])
    func `all words of GPSLogger are known, in either case`(_ word: String) {
        for word in [word, word.lowercased()] {
            let problems = TemplateSamples.configuration("https://r.example/log?a=%\(word)").problems
            #expect(problems.first?.expectation.contains("preset: phonetrack or gpslogger") == true, "\(word)")
            let preset = TemplateSamples.configuration("https://r.example/log?a=%\(word)&b=%LAT,%LON") {
                $0.preset = .gpslogger
            }
            #expect(preset.problems == [], "\(word)")
        }
    }

    private static let overland: [(OverlandPreset, String, [String])] = [
        (.compass, "/api/input?token=T", ["?token=T", "/?token=T", "/api/input?token=T", "/api/input/?token=T"]),
        (
            .dawarich, "/api/v1/overland/batches?api_key=K",
            [
                "?api_key=K", "/?api_key=K", "/api/v1/overland/batches?api_key=K", "/api/v1/points?api_key=K",
                "/api/v1/owntracks/points?api_key=K",
            ]
        ),
        (
            .reitti, "/api/v1/ingest/overland?token=T",
            ["?token=T", "/api/v1/ingest/overland?token=T", "/api/v1/ingest/owntracks?token=T"]
        ),
        (.geopulse, "/api/overland", ["", "/", "/api/overland", "/api/owntracks"]),
        (.wayfinder, "/api/wayfinder/overland/", ["", "/", "/api/wayfinder/overland", "/api/wayfinder/owntracks/"]),
        (.incognita, "/dump", ["", "/", "/dump"]), (.phpTracksRecorder, "/record.php", ["", "/", "/record.php"]),
        (.phpTracksRecorder, "/tracks/record.php", ["/tracks", "/tracks/", "/tracks/record.php"]),
        (.overlandFlask, "/api", ["", "/", "/api"]), (.overlandTS, "/api/locations", ["", "/", "/api/locations"]),
        (.pyoverland, "/submit/T", ["/submit/T"]),
        (.phonetrack, "/apps/phonetrack/log/overland/T/van", ["/apps/phonetrack/log/overland/T/van"]),
        (.webhook, "/flow?id=1", ["/flow?id=1"]),
    ]

    @Test func `no preset of the Overland format is left out`() {
        #expect(Set(Self.overland.map(\.0)) == Set(OverlandPreset.allCases))
    }

    @Test(arguments: overland.indices)
    func `a batch goes where the receiver reads it`(_ index: Int) {
        let (preset, target, links) = Self.overland[index]
        for link in links {
            let url = OverlandSink.Configuration(url: "https://r.example" + link, deviceID: "van-7", preset: preset).url
            #expect(url == "https://r.example" + target, "\(link)")
        }
    }
}
