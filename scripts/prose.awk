# Counts the marks of private English, per 1,000 words, in comments, documents and messages; fails where a figure is above
# its ceiling. The first file holds the ceilings; the second, standard input, lists the Swift and Markdown files to read.
#
# It reads lines, not Swift: a comment is a line that begins with `//`, a message a string literal of one line with a blank
# in it. Code in backticks, fenced blocks and interpolations do not count.

BEGIN {
    quoted = "\"([^\"\\\\]|\\\\.)*\""
    count = split("what whatever who whom whose whoever nobody somebody anybody nothing something tell tells told telling " \
        "say says said saying stand stands stood beside besides shall", list, " ")
    for (i = 1; i <= count; i++) marked[list[i]] = 1
    marked["from afar"] = marked["be it"] = 1
    kinds = split("comments documents messages", kind, " ")
}

# The ceilings: a kind and a number on each line.
NR == FNR {
    if ($0 ~ /^[ \t]*(#|$)/) next
    ceiling[$1] = $2
    next
}

{ if ($0 ~ /\.swift$/) read_swift($0); else read_document($0) }

END {
    status = 0
    for (i = 1; i <= kinds; i++) status = report(kind[i]) || status
    exit status
}

function read_swift(file, line, number) {
    number = 0
    while ((getline line < file) > 0) {
        number++
        if (line ~ /^[ \t]*\/\//) note("comments", file, number, line)
        else if (index(line, "\"") > 0) read_literals(line, file, number)
    }
    close(file)
}

function read_literals(line, file, number, literal) {
    while (match(line, quoted)) {
        literal = substr(line, RSTART + 1, RLENGTH - 2)
        line = substr(line, RSTART + RLENGTH)
        if (literal !~ /[^ ] +[^ ]/) continue
        gsub(/\\\([^)]*\)/, " X ", literal)
        note("messages", file, number, literal)
    }
}

function read_document(file, line, number, fenced) {
    number = fenced = 0
    while ((getline line < file) > 0) {
        number++
        if (line ~ /^[ \t]*```/) fenced = !fenced
        else if (!fenced) note("documents", file, number, line)
    }
    close(file)
}

# Adds a line's words and marks.
function note(which, file, number, text, parts, total, i, found) {
    gsub(/``?[^`]*``?/, " X ", text)
    text = tolower(text)
    gsub(/[^a-z0-9_']+/, " ", text)
    total = split(text, parts, " ")
    for (i = 1; i <= total; i++) if (parts[i] ~ /[a-z]/) words[which]++
    gsub(/'/, " ", text)
    total = split(text, parts, " ")
    found = 0
    for (i = 1; i <= total; i++)
        if ((parts[i] in marked) || (parts[i - 1] " " parts[i]) in marked) found++
    if (found == 0) return
    marks[which] += found
    if (!((which, file) in first)) first[which, file] = number
    inFile[which, file] += found
}

# Prints one kind's figure, and its worst files where the figure is above the ceiling; returns whether that is so.
function report(which, figure, key, parts, worst, i, most) {
    if (ceiling[which] !~ /^[0-9]+$/) {
        print "scripts/prose.ceilings: " which ": expected a whole number"
        return 1
    }
    if (words[which] == 0) {
        print which ": expected some to read"
        return 1
    }
    figure = 1000 * marks[which] / words[which]
    printf "%s: %d marks in %d words, %.1f per 1,000; at most %d\n", which, marks[which], words[which], figure, ceiling[which]
    if (figure <= ceiling[which]) return 0
    print which ": expected fewer of the words in scripts/prose.awk; the files with the most:"
    for (i = 1; i <= 10; i++) {
        worst = ""
        most = 0
        for (key in inFile) {
            split(key, parts, SUBSEP)
            if (parts[1] == which && (inFile[key] > most || (inFile[key] == most && most > 0 && key < worst))) {
                most = inFile[key]
                worst = key
            }
        }
        if (most == 0) break
        split(worst, parts, SUBSEP)
        print "  " parts[2] ":" first[worst] ": " most
        delete inFile[worst]
    }
    return 1
}
