use trackengine_sys::te_fix;

/// A position that a receiver reported. It has the layout of the library, so arrays of it are passed on without a copy.
#[repr(transparent)]
#[derive(Clone, Copy, Debug)]
pub struct Fix(te_fix);

impl Fix {
    /// A position at a time in nanoseconds since 1970.
    pub fn new(time: i64, latitude: f64, longitude: f64) -> Fix {
        Fix(te_fix {
            size: std::mem::size_of::<te_fix>() as u32,
            mode: 0,
            status: 0,
            activity: 0,
            flags: 0,
            time,
            latitude,
            longitude,
            altitude: f64::NAN,
            ellipsoidal_altitude: f64::NAN,
            horizontal_accuracy: f64::NAN,
            vertical_accuracy: f64::NAN,
            speed: f64::NAN,
            speed_accuracy: f64::NAN,
            course: f64::NAN,
            course_accuracy: f64::NAN,
            horizontal_dilution: f32::NAN,
            position_dilution: f32::NAN,
            satellites_used: -1,
            satellites_visible: -1,
            reserved: 0,
        })
    }

    /// The fix with a speed over ground, in m/s.
    pub fn speed(mut self, speed: f64) -> Fix {
        self.0.speed = speed;
        self
    }

    /// The fix with a course over ground, in degrees clockwise from true north.
    pub fn course(mut self, course: f64) -> Fix {
        self.0.course = course;
        self
    }

    /// The fix with a height above mean sea level, in metres.
    pub fn altitude(mut self, altitude: f64) -> Fix {
        self.0.altitude = altitude;
        self
    }

    /// The fix with a horizontal accuracy, in metres.
    pub fn horizontal_accuracy(mut self, accuracy: f64) -> Fix {
        self.0.horizontal_accuracy = accuracy;
        self
    }

    /// The fix with any of its values changed: `fix.with(|raw| raw.satellites_used = 9)`.
    pub fn with(mut self, change: impl FnOnce(&mut te_fix)) -> Fix {
        change(&mut self.0);
        self.0.size = std::mem::size_of::<te_fix>() as u32;
        self
    }

    /// All values; NaN and -1 are unknown.
    pub fn raw(&self) -> &te_fix {
        &self.0
    }

    /// The time in nanoseconds since 1970.
    pub fn time(&self) -> i64 {
        self.0.time
    }

    /// The latitude in degrees.
    pub fn latitude(&self) -> f64 {
        self.0.latitude
    }

    /// The longitude in degrees.
    pub fn longitude(&self) -> f64 {
        self.0.longitude
    }

    pub(crate) fn from_raw(raw: te_fix) -> Fix {
        Fix(raw)
    }
}
