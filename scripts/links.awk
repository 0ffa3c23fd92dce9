# Prints the relative links of Markdown documents that lead to no file or to no heading, and fails if there are any. Run it
# in the root with LC_ALL=C. An anchor follows GitHub's rule: the heading in lower case, without punctuation, blanks as
# hyphens, and a number behind a repeated one.

# The path of `target`, which is relative to the folder of `document`, without `.` and `..`.
function resolved(document, target,    parts, count, i, kept, path) {
    if (!sub(/[^\/]*$/, "", document)) document = ""
    count = split(document target, parts, "/")
    kept = 0
    for (i = 1; i <= count; i++) {
        if (parts[i] == "" || parts[i] == ".") continue
        if (parts[i] == ".." && kept > 0) { kept--; continue }
        parts[++kept] = parts[i]
    }
    path = ""
    for (i = 1; i <= kept; i++) path = path (i > 1 ? "/" : "") parts[i]
    return path == "" ? "." : path
}

function exists(path) {
    if (!(path in known)) known[path] = system("[ -e '" path "' ]") == 0
    return known[path]
}

# Notes the anchors of a document in `anchors`.
function readHeadings(path,    line, code, slug, times) {
    if (path in read) return
    read[path] = 1
    code = 0
    while ((getline line < path) > 0) {
        if (line ~ /^ *```/) code = !code
        if (code || line !~ /^#+ /) continue
        sub(/^#+ +/, "", line)
        line = withoutTargets(line)
        slug = tolower(line)
        gsub(/[^a-z0-9 _\200-\377-]/, "", slug)
        gsub(/ /, "-", slug)
        times = headings[path, slug]++
        anchors[path, slug (times > 0 ? "-" times : "")] = 1
    }
    close(path)
}

# A heading may be a link: of `[text](target)` the text counts.
function withoutTargets(line) {
    while (match(line, /\]\([^)]*\)/)) line = substr(line, 1, RSTART) substr(line, RSTART + RLENGTH)
    return line
}

function examine(target,    anchor, path, hash) {
    if (target ~ /^[a-z][a-z0-9+.-]*:/ || target == "") return
    hash = index(target, "#")
    anchor = hash ? substr(target, hash + 1) : ""
    path = hash == 1 ? FILENAME : resolved(FILENAME, hash ? substr(target, 1, hash - 1) : target)
    if (!exists(path)) {
        print FILENAME ":" FNR ": " target ": expected a file or folder"
        wrong++
    } else if (hash) {
        readHeadings(path)
        if (!((path, anchor) in anchors)) {
            print FILENAME ":" FNR ": " target ": expected a heading of " path
            wrong++
        }
    }
}

FNR == 1 { code = 0 }
/^ *```/ { code = !code; next }
code { next }

{
    line = $0
    if (match(line, /^ *\[[^]]*\]: +[^ ]+/)) {
        target = substr(line, RSTART, RLENGTH)
        sub(/^ *\[[^]]*\]: +/, "", target)
        examine(target)
        next
    }
    while (match(line, /\]\([^) ]*[) ]/)) {
        target = substr(line, RSTART + 2, RLENGTH - 3)
        line = substr(line, RSTART + RLENGTH)
        examine(target)
    }
}

END { exit wrong > 0 }
