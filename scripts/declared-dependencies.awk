# Turns the output of `swift package describe` into lines "FOLDER MODULE": what each target's manifest entry lets it
# import. Products are taken by their name, which is that of their module for all that this package uses.

/^Targets:/ { inTargets = 1; next }
!inTargets { next }
/^    [A-Z]/ { key = $0; sub(/^ +/, "", key); sub(/:.*/, "", key) }
/^    Path: / { folder = $2 }
/^        / && (key == "Target dependencies" || key == "Product dependencies") {
    module = $1
    gsub(/-/, "_", module)
    print folder, module
}
