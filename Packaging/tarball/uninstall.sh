#!/bin/sh
# Removes what install.sh has installed: PREFIX/share/trackd/uninstall.sh. DESTDIR is put before all paths.
set -eu
list=$(cd "$(dirname "$0")" && pwd)/files
root=${DESTDIR:-}
if [ ! -s "$list" ]; then
    echo "$list: expected the list of installed files; run the uninstall.sh in PREFIX/share/trackd" >&2
    exit 66
fi

[ -n "$root" ] || [ ! -d /run/systemd/system ] || systemctl disable --now trackd || true
while read -r file; do
    rm -f "$root$file"
    rmdir -p --ignore-fail-on-non-empty "$(dirname "$root$file")" 2>/dev/null || true
done <"$list"
rm -f "$list"
rmdir -p --ignore-fail-on-non-empty "$(dirname "$list")" 2>/dev/null || true
[ -n "$root" ] || [ ! -d /run/systemd/system ] || systemctl daemon-reload
echo "trackd is removed; /etc/trackd and /var/lib/trackd stay, remove them by hand if nobody needs the track"
