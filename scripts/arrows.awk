# Prints the imports that go against the order in docs/decisions/018-modules.md or that the manifest does not declare, and fails if
# there are any. The first file holds what declared-dependencies.awk has made of the manifest.

# The module of an import line, or nothing.
function imported(line) {
    sub(/^[ \t]+/, "", line)
    while (sub(/^(@[A-Za-z_]+(\([^)]*\))?|public|package|internal|fileprivate|private)[ \t]+/, "", line)) {}
    if (line !~ /^import[ \t]/) return ""
    sub(/^import[ \t]+((struct|class|enum|protocol|func|var|let|typealias|actor)[ \t]+)?/, "", line)
    sub(/[^A-Za-z0-9_].*/, "", line)
    return line
}

function refuse(why) {
    print FILENAME ":" FNR ": import " module ": " why
    wrong++
}

# Whether the module comes with Swift or with the system.
function comes_with_swift(module) {
    return module ~ /^(Synchronization|Dispatch|Testing|RegexBuilder|Observation|Glibc)$/ \
        || module ~ /^Foundation(Essentials|Networking|XML|Internationalization)?$/
}

# Whether the target that the file belongs to declares the module.
function is_declared(module, folder) {
    folder = FILENAME
    while (sub(/\/[^\/]*$/, "", folder)) if ((folder, module) in declared) return 1
    return 0
}

# What of ours a folder of Sources may import beside the core, as a pattern.
function allowed_beside_core(file) {
    if (file ~ /^Sources\/(Sources-GPSD|Sinks-(HTTP|MQTT)|TrackEngine(Files|Simulated|SQLite|History))\//)
        return "^(TrackEngineSettings|GPSDProtocol|SQLiteAccess|OwnTracksFormat|Encryption)$"
    if (file ~ /^Sources\/Encryption\//) return "^TrackEngineSettings$"
    if (file ~ /^Sources\/OwnTracksFormat\//) return "^(TrackEngineSettings|Encryption)$"
    if (file ~ /^Sources\/TrackEnginePlaces\//) return "^TrackEngineFiles$"
    if (file ~ /^Sources\/TrackEngineTune\//) return "^TrackEngine(Settings|Files|Places)$"
    if (file ~ /^Sources\/TrackEngineServer\//)
        return "^(TrackEngine(Settings|Files|History|Places|Integrations)|OwnTracksFormat|Encryption|SQLiteAccess)$"
    if (file ~ /^Sources\/TrackEngineAgent\//) return "^(TrackEngine.+|Encryption)$"
    if (file ~ /^Sources\/trackd\//) return "^TrackEngineAgent$"
    return "^$"
}

FNR == NR { declared[$1, $2] = 1; next }

/import[ \t]/ {
    module = imported($0)
    if (module == "") next
    system_module = module ~ /^(Synchronization|Logging|Glibc)$/
    ours = module ~ /^(TrackEngine.+|GPSDProtocol|SQLiteAccess|OwnTracksFormat|Encryption)$/

    if (!comes_with_swift(module) && !is_declared(module)) refuse("the target does not declare it in Package.swift")

    if (FILENAME ~ /^Sources\/TrackEngine\//) {
        if (!system_module) refuse("the core imports the standard library, Synchronization and Logging only")
    } else if (FILENAME ~ /^Sources\/TrackEngineTestKit\//) {
        if (!system_module && module !~ /^(TrackEngine|Testing)$/) refuse("the TestKit imports the core and Testing only")
    } else if (FILENAME ~ /^Sources\//) {
        if (ours && module !~ allowed_beside_core(FILENAME)) refuse("arrows run downwards, plugins never import each other")
        if (module ~ /^(TrackEngineTestKit|Testing|XCTest)$/) refuse("what ships imports no test library")
        if (module ~ /^Foundation(Networking|XML|Internationalization)?$/ && FILENAME !~ /^Sources\/TrackEngineAgent\//)
            refuse("plugins use at most FoundationEssentials")
    }
    if (module == "trackd") refuse("nothing imports trackd")
    if (module == "TestSupport" && FILENAME !~ /^Tests\//) refuse("only tests import what tests share")
}

END { exit wrong > 0 }
