# Prints the Swift blocks of the documents that no compiled file contains, and fails if there are any. A block counts as
# contained when its lines follow each other in one file, whatever their indentation. The files come first, the documents
# (*.md) after them.

function bare(line) {
    gsub(/^[ \t]+|[ \t]+$/, "", line)
    return line
}

FNR == 1 { inside = 0 }

FILENAME !~ /\.md$/ {
    if (FNR == 1) compiled = compiled "\n\001\n" # no block reaches from one file into the next
    compiled = compiled bare($0) "\n"
    next
}

/^ *```swift$/ { inside = 1; first = FNR; block = "\n"; next }
inside && /^ *```$/ {
    inside = 0
    if (index(compiled, block) == 0) {
        print FILENAME ":" first ": expected a Swift block that a file of Examples or Tests/*/Articles contains"
        wrong++
    }
    next
}
inside { block = block bare($0) "\n" }

END { exit wrong > 0 }
