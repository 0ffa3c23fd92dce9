"""Writes a C program that prints the place of each member of each struct in trackengine.h."""

import re
import sys

header = re.sub(r"/\*.*?\*/", "", open(sys.argv[1]).read(), flags=re.S)
print('#include <stdio.h>\n#include <trackengine.h>\nint main(void) {')
for body, name in re.findall(r"typedef struct te_\w+ \{(.*?)\} (te_\w+);", header, flags=re.S):
    print(f'    printf("{name} sizeof %zu\\n", sizeof({name}));')
    for line in filter(None, (line.strip() for line in body.split(";"))):
        member = re.search(r"(\w+)(\[\w+\])?$", line).group(1)
        print(f'    printf("{name} {member} %zu\\n", offsetof({name}, {member}));')
print("}")
