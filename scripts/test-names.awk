# Fails for a test whose name is not a sentence between backticks.
/@Test/ { waits = 1 }
waits && match($0, /func [^(]*/) {
    waits = 0
    if (substr($0, RSTART + 5, 1) != "`") {
        print FILENAME ":" FNR ": " substr($0, RSTART, RLENGTH) ": expected a sentence between backticks"
        wrong = 1
    }
}
/@Test\("/ { print FILENAME ":" FNR ": expected the name between backticks, and no second one"; wrong = 1 }
END { exit wrong }
