#!/bin/sh
# Removes what install.sh has installed: PREFIX/share/trackd/uninstall.sh. DESTDIR is put before all paths.
set -eu
list=$(cd "$(dirname "$0")" && pwd)/files
root=${DESTDIR:-}
if [ ! -f "$list" ]; then
    echo "$list: expected the list of installed files; run the uninstall.sh in PREFIX/share/trackd" >&2
    exit 66
fi

[ -n "$root" ] || [ ! -d /run/systemd/system ] || systemctl disable --now trackd || true
kept=$(mktemp)
trap 'rm -f "$kept"' EXIT
cp "$list" "$kept"
grep -v '/$' "$kept" | while read -r file; do rm -f "$root$file"; done
rm -f "$list"
# Only the folders that install.sh has made, the inner ones first.
grep '/$' "$kept" | sort -r | while read -r folder; do rmdir --ignore-fail-on-non-empty "$root$folder"; done
[ -n "$root" ] || [ ! -d /run/systemd/system ] || systemctl daemon-reload
echo "trackd is removed; /etc/trackd and /var/lib/trackd stay, remove them by hand if nobody needs the track"
