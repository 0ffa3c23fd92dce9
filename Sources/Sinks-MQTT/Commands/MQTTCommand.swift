public import TrackEngineSettings

/// What others may ask for over MQTT.
public typealias MQTTCommand = RemoteCommand

/// Carries out commands that came over MQTT and were found allowed.
public typealias MQTTCommandHandler = RemoteCommandHandler
