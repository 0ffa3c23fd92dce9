import Foundation

/// The location message as OwnTracks' own JSON schema describes it (owntracks/ios, `message.json`): types, what must be
/// there, which values there are; and what a transition needs.
package enum OwnTracksModel {
    /// What is wrong with a payload; nothing in a sound one.
    package static func problems(_ object: [String: Any]) -> [String] {
        var problems: [String] = []
        for key in ["_type", "lat", "lon", "tst"] where object[key] == nil { problems.append("\(key) is missing") }
        if object["_type"] as? String != "location" { problems.append("_type is not location") }
        for key in ["lat", "lon"] where !(object[key] is NSNumber) { problems.append("\(key) is no number") }
        for key in ["tst", "created_at", "acc", "alt", "vac", "vel", "batt", "bs", "m", "cog"] {
            guard let value = object[key] else { continue }
            guard let number = value as? NSNumber, number.doubleValue == number.doubleValue.rounded() else {
                problems.append("\(key) is no whole number")
                continue
            }
        }
        if let bs = object["bs"] as? Int, !(0...3).contains(bs) { problems.append("bs is \(bs)") }
        if let batt = object["batt"] as? Int, !(0...100).contains(batt) { problems.append("batt is \(batt)") }
        if let cog = object["cog"] as? Int, !(0..<360).contains(cog) { problems.append("cog is \(cog)") }
        if let m = object["m"] as? Int, ![1, 2].contains(m) { problems.append("m is \(m)") }
        if let t = object["t"], (t as? String)?.count != 1 { problems.append("t is not one character") }
        if (object["tid"] as? String)?.count != 2 { problems.append("tid is not two characters") }
        for key in ["inregions", "inrids"] where object[key] != nil && !(object[key] is [String]) {
            problems.append("\(key) is no list of texts")
        }
        if (object["inregions"] as? [String])?.count != (object["inrids"] as? [String])?.count {
            problems.append("inregions and inrids do not fit each other")
        }
        return problems
    }

    /// What is wrong with a transition; nothing in a sound one. Home Assistant needs `desc`, and drops an `acc` of 0.
    package static func problems(transition object: [String: Any]) -> [String] {
        var problems: [String] = []
        if object["_type"] as? String != "transition" { problems.append("_type is not transition") }
        for key in ["lat", "lon"] where !(object[key] is NSNumber) { problems.append("\(key) is no number") }
        for key in ["tst", "wtst", "acc"] where ((object[key] as? Int) ?? 0) < 1 {
            problems.append("\(key) is no whole number above 0")
        }
        if !["enter", "leave"].contains(object["event"] as? String) {
            problems.append("event is neither enter nor leave")
        }
        if (object["desc"] as? String ?? "").isEmpty { problems.append("there is no desc") }
        if let t = object["t"] as? String, !["c", "b", "l"].contains(t) { problems.append("t is \(t)") }
        return problems
    }
}
