# Counts the different words of the names of types in the Swift files that standard input lists, and fails above `most`.
# A word begins with a capital letter; capitals that follow each other are one word (`MQTTSink`: mqtt, sink).
{
    while ((getline line < $0) > 0) {
        if (line !~ /^[ \t]*([A-Za-z_0-9]+ )*(struct|class|enum|actor|protocol) [A-Za-z_0-9]/) continue
        match(line, /^[ \t]*([A-Za-z_0-9]+ )*(struct|class|enum|actor|protocol) /)
        name = substr(line, RLENGTH + 1)
        match(name, /^[A-Za-z_0-9]+/)
        note(substr(name, 1, RLENGTH))
    }
    close($0)
}

function note(name, word) {
    gsub(/[^A-Za-z]+/, " ", name)
    while (match(name, /[A-Za-z]/)) {
        name = substr(name, RSTART)
        if (match(name, /^[A-Z]+/) && RLENGTH > 1 && substr(name, RLENGTH + 1, 1) ~ /[a-z]/) RLENGTH--
        else if (RLENGTH <= 1) match(name, /^[A-Z]?[a-z]*/)
        word = tolower(substr(name, 1, RLENGTH))
        name = substr(name, RLENGTH + 1)
        if (!(word in seen)) { seen[word] = $0; count++ }
    }
}

END {
    if (count > most) {
        print "names of types: " count " different words: expected " most " at most"
        exit 1
    }
}
