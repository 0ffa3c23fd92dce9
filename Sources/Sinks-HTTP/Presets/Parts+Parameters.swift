// Receivers of one record per request, as parameters.

extension HTTPPreset.Settings {
    /// `GET …/apps/phonetrack/logGet/TOKEN/NAME`: time in seconds since 1970, speed in metres per second, battery in
    /// per cent.
    ///
    /// The links that a session shows for apps, such as `…/log/gpslogger/TOKEN/NAME?lat=%LAT&…`, are converted to
    /// this form, because they reply 200 to every request. This one replies with `done`: 1 for a stored position, 0
    /// for an unknown token or a reserved name, 2 for an exhausted quota, 3 for a locked session. Releases of
    /// PhoneTrack without `done` in the reply confirm no record; for those, use the rule `status` alone.
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

    /// `GET …?lat=…&longitude=…&time=…&s=…`, the default custom address of GPSLogger for Android; the other names are
    /// its documented ones for the rest. A link that a user pastes has names of its own, which stay.
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

    /// A form by `POST` to `…/api/webhook/ID`. Home Assistant replies 200 even to an unknown webhook; the body of a
    /// known one contains "Setting location for …". Speed is in metres per second; a missing accuracy counts as
    /// 200 m.
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
