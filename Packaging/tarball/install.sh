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

list=$root$prefix/share/trackd/files
mkdir -p "$(dirname "$list")"
: >"$list"
put() { # MODE FILE TARGET
    mkdir -p "$(dirname "$root$3")"
    rm -f "$root$3" # a running agent goes on with the old file
    cp "$2" "$root$3"
    chmod "$1" "$root$3"
    echo "$3" >>"$list"
}

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
[ -n "$root" ] || [ ! -d /run/systemd/system ] || systemctl daemon-reload
echo "trackd is installed; '$prefix/bin/trackd run' shows a first track, 'systemctl enable --now trackd' starts the service"
