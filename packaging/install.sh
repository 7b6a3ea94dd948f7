#!/bin/sh
# Installs Bothy from this folder: the program, its completions and manual page, and the systemd units.
#   ./install.sh                  as root, into /usr/local
#   ./install.sh --prefix DIR     into DIR, without units (no root needed)
#   ./install.sh --uninstall      takes away what it put there; data and configuration stay
set -eu
here=$(cd "$(dirname "$0")" && pwd)
prefix=/usr/local
units=/etc/systemd/system
user_units=/etc/systemd/user
uninstall=false
while [ $# -gt 0 ]; do
    case $1 in
    --prefix) prefix=${2:?a folder after --prefix}; units=; shift 2 ;;
    --uninstall) uninstall=true; shift ;;
    *) echo "unknown: $1 (--prefix DIR, --uninstall)" >&2; exit 2 ;;
    esac
done

place() { # mode, from, to
    if $uninstall; then
        rm -f "$3"
    else
        mkdir -p "$(dirname "$3")"
        # Beside it first, then renamed: a running bothy keeps its own file.
        cp "$2" "$3.new" && chmod "$1" "$3.new" && mv "$3.new" "$3"
    fi
}

place 755 "$here/bin/bothy" "$prefix/bin/bothy"
place 644 "$here/completions/bothy.bash" "$prefix/share/bash-completion/completions/bothy"
place 644 "$here/completions/bothy.zsh" "$prefix/share/zsh/site-functions/_bothy"
place 644 "$here/completions/bothy.fish" "$prefix/share/fish/vendor_completions.d/bothy.fish"
place 644 "$here/man/man1/bothy.1" "$prefix/share/man/man1/bothy.1"

if [ -n "$units" ] && [ -d /run/systemd/system ]; then
    for unit in "$here"/systemd/*.service; do
        $uninstall && systemctl disable --now "$(basename "$unit")" 2>/dev/null || true
        place 644 "$unit" "$units/$(basename "$unit")"
    done
    # A unit of each person's own systemd: nobody's is started from here.
    for unit in "$here"/systemd/user/*.service; do
        place 644 "$unit" "$user_units/$(basename "$unit")"
    done
    $uninstall || { mkdir -p /etc/bothy; [ -e /etc/bothy/bothy.yaml ] || cp "$here/bothy.yaml.example" /etc/bothy/bothy.yaml; }
    systemctl daemon-reload
fi

if $uninstall; then
    echo "Bothy is gone from $prefix. Its data and /etc/bothy are still there."
elif [ -n "$units" ] && [ -d /run/systemd/system ]; then
    echo "Bothy is in $prefix/bin. Look at /etc/bothy/bothy.yaml."
    if [ ! -e /var/lib/bothy/bothy.sqlite ] && [ ! -e /var/lib/private/bothy/bothy.sqlite ]; then
        echo "Make its data folder, once:"
        echo "  systemd-run --pty -p DynamicUser=yes -p User=bothy -p StateDirectory=bothy -p StateDirectoryMode=0700 \\"
        echo "      $prefix/bin/bothy server init --data /var/lib/bothy"
    fi
    echo "Start it, now and with the machine: systemctl enable --now bothy"
else
    echo "Bothy is in $prefix/bin. Start a server with: $prefix/bin/bothy up"
fi
