// Receivers that take one record a request, as parameters.

extension HTTPPreset.Parts {
    /// `GET …/apps/phonetrack/log/gpslogger/TOKEN/NAME`, the link that a session shows for GPSLogger: time in seconds since
    /// 1970, speed in metres per second, battery in per cent.
    static var phonetrack: Self {
        var parts = Self(method: .get)
        parts.parameters = [
            "lat=%{latitude}", "lon=%{longitude}", "timestamp=%{time:epoch}", "acc=%{accuracy?}", "alt=%{altitude?}",
            "speed=%{speed?}", "bearing=%{course?}", "sat=%{satellites?}", "bat=%{battery:percent?}",
        ]
        return parts
    }

    /// `GET …?lat=…&longitude=…&time=…&s=…`, the custom address that GPSLogger for Android has before somebody changes it;
    /// what follows are its documented names for the rest.
    ///
    /// Source: https://gpslogger.app/#customurl
    static var gpslogger: Self {
        var parts = Self(method: .get)
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
