#!/bin/sh
# Runs commands in a Debian 13, which is installed into a folder with debootstrap, on a copy of the tree.
#
# usage: debian13.sh FOLDER COMMAND, run by its shell in the copy of the tree, /plait. FOLDER is outside of the tree, whose
#        checks would read it. Needs root.
set -eu
folder=$1 command=$2
project=$(cd "$(dirname "$0")/../.." && pwd)
root=$folder/root
if [ ! -e "$folder/is_made" ]; then
    rm -rf "$root"
    mkdir -p "$root"
    debootstrap --variant=minbase --include=ca-certificates trixie "$root" >"$folder/debootstrap.txt" 2>&1 ||
        { tail -20 "$folder/debootstrap.txt" >&2; exit 1; }
    # Packages come from where this system has them; programs are not asked for their documents.
    cp /etc/apt/apt.conf.d/* "$root/etc/apt/apt.conf.d/"
    cp /etc/resolv.conf "$root/etc/resolv.conf"
    touch "$folder/is_made"
fi
# What was built there stays.
mkdir -p "$root/plait"
find "$root/plait" -mindepth 1 -maxdepth 1 ! -name build -exec rm -rf {} +
(cd "$project" && git ls-files --cached --others --exclude-standard -z | xargs -0 tar cf - --ignore-failed-read) | tar xf - -C "$root/plait"
# The mounts are seen by this command alone, and end with it.
exec unshare --mount --propagation private /bin/sh -c '
    for what in proc sys dev; do mount --rbind /$what "$0/$what" || exit 1; done; exec chroot "$0" /bin/sh -c "cd /plait && export LC_ALL=C.UTF-8 && $1"' \
    "$root" "$command"
