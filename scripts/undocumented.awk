# Prints the public declarations of Swift files that have no documentation comment, and fails if there are any.
#
# It reads lines, not Swift, and relies on the formatter: a declaration begins its line, a type's members are one brace
# deeper. Besides what says `public` it knows the members that are public without saying so: the cases of a public enum
# and the requirements of a public protocol. A public extension is no symbol.

FNR == 1 { depth = 0; documented = 0; inString = 0; inComment = 0; split("", scope) }

{
    line = $0
    sub(/^[ \t]+/, "", line)
}

# Multi-line strings and block comments hold no declarations.
inString { if (line ~ /"""/) inString = 0; next }
inComment { if (line ~ /\*\//) inComment = 0; next }
line ~ /^\/\*/ && line !~ /\*\// { inComment = 1; next }

line ~ /^\/\/\// { documented = 1; next }
line == "" || line ~ /^\/\// { documented = documented && line != ""; next }
# Attributes and conditions may stand between the comment and its declaration.
line ~ /^@[A-Za-z_]+(\([^)]*\))?$/ || line ~ /^#(if|else|elseif|endif)/ { next }

{
    code = line
    opensString = gsub(/"""/, "", code)
    gsub(/\\"/, "", code)
    gsub(/"[^"]*"/, "", code)
    sub(/\/\/.*/, "", code)
    declaration = code
    while (sub(/^@[A-Za-z_]+(\([^)]*\))?[ \t]+/, "", declaration)) {}

    isPublic = declaration ~ /^(indirect )?(public|open) [a-z]/ && declaration !~ /^public (import|extension) /
    isRequirement = scope[depth] == "protocol" && \
        declaration ~ /^((static|mutating|nonisolated) )*(func|var|init|subscript|associatedtype)[ (<?]/
    isCase = scope[depth] == "enum" && declaration ~ /^(indirect )?case /
    if ((isPublic || isRequirement || isCase) && !documented) {
        print FILENAME ":" FNR ": " line ": expected a documentation comment"
        undocumented++
    }
    documented = 0

    opened = 0
    for (i = 1; i <= length(code); i++) {
        character = substr(code, i, 1)
        if (character == "{") { depth++; opened = 1; scope[depth] = "" }
        if (character == "}") { delete scope[depth]; if (depth > 0) depth-- }
    }
    if (isPublic && declaration ~ /^(indirect )?public (indirect )?enum /) pending = "enum"
    else if (isPublic && declaration ~ /^public protocol /) pending = "protocol"
    else if (!opened && pending != "") pending = pending  # the head of a declaration goes on over several lines
    else if (!opened) pending = ""
    if (opened && pending != "") { scope[depth] = pending; pending = "" }
    if (opensString % 2) inString = 1
}

END { exit undocumented > 0 }
