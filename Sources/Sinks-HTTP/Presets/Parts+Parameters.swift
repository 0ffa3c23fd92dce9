// Receivers that take one record a request, as parameters.

extension HTTPPreset.Parts {
    /// `GET …/apps/phonetrack/logGet/TOKEN/NAME`: time in seconds since 1970, speed in metres per second, battery in per cent.
    ///
    /// The links that a session shows for apps, such as `…/log/gpslogger/TOKEN/NAME?lat=%LAT&…`, are turned into it, because those
    /// reply 200 without a word to whatever they are sent. This one says `done`: 1 for a place that was kept, 0 for a token that it does not
    /// know or a name that is reserved, 2 for a quota that is used up, 3 for a session that is locked. Releases of PhoneTrack whose
    /// reply has no `done` confirm nothing; for those there is the rule `status` alone.
    ///
    /// Source: https://github.com/julien-nc/phonetrack, lib/Controller/LogController.php
    static var phonetrack: Self {
        let apps = ["gpslogger", "owntracks", "osmand", "traccar", "ulogger", "overland", "opengts", "locusmap"]
        var parts = Self(
            link: (shown: apps.map { "/log/\($0)/" } + ["/logPost/"], used: "/logGet/"), placeholders: .dropped,
            method: .get)
        parts.success.path = "done"
        parts.success.value = "1"
        parts.parameters = [
            "lat=%{latitude}", "lon=%{longitude}", "timestamp=%{time:epoch}", "acc=%{accuracy?}", "alt=%{altitude?}",
            "speed=%{speed?}", "bearing=%{course?}", "sat=%{satellites?}", "bat=%{battery:percent?}",
        ]
        return parts
    }

    /// `GET …?lat=…&longitude=…&time=…&s=…`, the custom address that GPSLogger for Android has before somebody changes it;
    /// what follows are its documented names for the rest. A link that somebody pastes has names of its own, which stay.
    ///
    /// Source: https://gpslogger.app/#customurl
    static var gpslogger: Self {
        var parts = Self(placeholders: .filled, method: .get)
        parts.parameters = [
            "lat=%{latitude}", "longitude=%{longitude}", "time=%{time}", "s=%{speed?}", "acc=%{accuracy?}",
            "alt=%{altitude?}", "dir=%{course?}", "sat=%{satellites?}", "batt=%{battery:percent?}",
        ]
        return parts
    }

    /// A form by `POST` to `…/api/webhook/ID`. Home Assistant replies 200 to a webhook that it does not know, too, and says
    /// "Setting location for …" where it has one. Speed is in metres per second; an accuracy that is not there counts as 200 m.
    ///
    /// Source: https://www.home-assistant.io/integrations/gpslogger/
    static var homeAssistantWebhook: Self {
        var parts = Self(format: .form)
        parts.body =
            "latitude=%{latitude}&longitude=%{longitude}&device=%{device}&accuracy=%{accuracy?}"
            + "&battery=%{battery:percent?}&speed=%{speed?}&direction=%{course?}&altitude=%{altitude?}"
            + "&provider=gps&activity=%{activity?}"
        parts.success.contains = "Setting location for"
        return parts
    }
}
