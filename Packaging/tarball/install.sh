#!/bin/sh
# Installs trackd: ./install.sh [PREFIX], by default /usr/local. DESTDIR is put before all paths.
#
# A configuration that exists stays. PREFIX/share/trackd/uninstall.sh removes what was installed.
set -eu
cd "$(dirname "$0")"
prefix=${1:-/usr/local}
root=${DESTDIR:-}

missing=$(ldd files/usr/local/bin/trackd | awk '/not found/ { print $1 }' | sort -u)
if [ -n "$missing" ]; then
    echo "These libraries are missing; please install the packages that hold them:" $missing >&2
    exit 69
fi

# The list of what is installed, and of the folders that were made for it; an earlier one has more of these.
list=$root$prefix/share/trackd/files
new=$(mktemp)
trap 'rm -f "$new"' EXIT
[ ! -s "$list" ] || grep '/$' "$list" >"$new" || true
folder() {
    [ ! -d "$root$1" ] || return 0
    folder "$(dirname "$1")"
    mkdir "$root$1"
    echo "$1/" >>"$new"
}
put() { # MODE FILE TARGET
    folder "$(dirname "$3")"
    rm -f "$root$3" # a running agent goes on with the old file
    cp "$2" "$root$3"
    chmod "$1" "$root$3"
    echo "$3" >>"$new"
}
[ -z "$root" ] || mkdir -p "$root"

find files/usr/local -type f | sort | while read -r file; do
    mode=0644
    [ ! -x "$file" ] || mode=0755
    put "$mode" "$file" "$prefix${file#files/usr/local}"
done
put 0644 files/lib/systemd/system/trackd.service /etc/systemd/system/trackd.service
sed -i "s|/usr/local/|$prefix/|g" "$root/etc/systemd/system/trackd.service"
put 0755 uninstall.sh "$prefix/share/trackd/uninstall.sh"
if [ ! -e "$root/etc/trackd/trackd.yaml" ]; then
    mkdir -p "$root/etc/trackd"
    cp files/etc/trackd/trackd.yaml "$root/etc/trackd/trackd.yaml"
fi
sort -u "$new" >"$list"
[ -n "$root" ] || [ ! -d /run/systemd/system ] || systemctl daemon-reload
echo "trackd is installed; '$prefix/bin/trackd run' shows a first track, 'systemctl enable --now trackd' starts the service"
