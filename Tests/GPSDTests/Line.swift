/// Lines as gpsd writes them, of our own making.
enum Line {
    static let version =
        #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"# + "\r\n"
    static let watch = #"{"class":"WATCH","enable":true,"json":true,"nmea":false,"raw":0}"# + "\r\n"

    static func devices(_ paths: [String]) -> String {
        let list = paths.map { #"{"class":"DEVICE","path":"\#($0)","activated":"2026-03-01T09:59:00.000Z"}"# }
        return #"{"class":"DEVICES","devices":["# + list.joined(separator: ",") + "]}\r\n"
    }

    /// A 3D position at 48.1 north, `longitude` east, a number of tenths of a second after 2026-03-01T10:00:00Z.
    static func position(_ tenths: Int, longitude: Double = 11.5, device: String = "/dev/gps0") -> String {
        let time = "2026-03-01T10:\(pad(tenths / 600)):\(pad(tenths / 10 % 60)).\(tenths % 10)00Z"
        return #"{"class":"TPV","device":"\#(device)","mode":3,"time":"\#(time)","lat":48.1,"lon":\#(longitude),"#
            + #""altHAE":567.0,"altMSL":520.0,"alt":520.0,"eph":3.5,"speed":1.5,"track":90.0}"# + "\r\n"
    }

    static func noFix(device: String = "/dev/gps0") -> String {
        #"{"class":"TPV","device":"\#(device)","mode":1}"# + "\r\n"
    }

    static func present(_ device: String) -> String {
        #"{"class":"DEVICE","path":"\#(device)","activated":"2026-03-01T09:59:00.000Z"}"# + "\r\n"
    }

    static func gone(_ device: String) -> String {
        #"{"class":"DEVICE","path":"\#(device)","activated":0}"# + "\r\n"
    }

    private static func pad(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
}
