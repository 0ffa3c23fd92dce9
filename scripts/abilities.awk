# Fails for an ability of a plugin's settings (a protocol that refines PluginSettings, SinkSettings or SourceSettings) with
# more than two requirements. StoreSettings is excepted: docs/decisions/038-plugin-kinds.md.
/^(public|package)? *protocol [A-Za-z]+: *(Plugin|Sink|Source|Store)Settings *\{/ {
    name = $3; sub(/:.*/, "", name); count = 0; inside = name != "StoreSettings"; next
}
inside && /^    (static |mutating )*(func|var|init)/ { count++ }
inside && /^\}/ {
    inside = 0
    if (count > 2) { print FILENAME ": " name ": " count " requirements: expected 2 at most"; wrong = 1 }
}
END { exit wrong }
