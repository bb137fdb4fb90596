#!/bin/sh
# Installs all files, for `make install`, `make deb` and their tests.
#
#   config/install.sh PROGRAM MANUAL PREFIX [DESTDIR]
#
# PROGRAM is overline, MANUAL the writer of manual pages beside it. share/overline/installed lists the installed files for
# `config/uninstall.sh`.
set -eu
program=$1
manual=$2
prefix=$3
destination=${4:-}
config=$(dirname "$0")
# Units contain the program's absolute path; and a ~ that the shell did not expand would be a folder of that name.
case $prefix in
  /*) ;;
  *)
    echo "PREFIX must be an absolute path, and is \"$prefix\"" >&2
    exit 1
    ;;
esac
root=$destination$prefix
list=$root/share/overline/installed

existing=$root
while [ ! -e "$existing" ]; do existing=$(dirname "$existing"); done
if [ ! -w "$existing" ]; then
  echo "overline: $existing is not writable for you; type: sudo make install PREFIX='$prefix'${destination:+ DESTDIR='$destination'}," >&2
  echo "  or install below your home: make install PREFIX=\"\$HOME/.local\"" >&2
  exit 1
fi

temporary=$(mktemp -d)
# Lists the files even after a partial installation, so that they can be uninstalled.
leave() {
  if [ -e "$temporary/installed" ]; then
    make_folder share/overline
    echo share/overline/installed >>"$temporary/installed"
    install -D -m 644 "$temporary/installed" "$list"
  fi
  rm -rf "$temporary"
}
trap leave EXIT

# An earlier version's files that this one no longer has must not stay. Its folders that contain other files are still its own.
if [ -e "$list" ]; then
  grep '/$' "$list" >"$temporary/folders" || true
  "$config/uninstall.sh" "$prefix" "$destination"
  while IFS= read -r folder; do
    [ ! -d "$root/$folder" ] || echo "$folder" >>"$temporary/installed"
  done <"$temporary/folders"
fi

# Makes a folder below the prefix and its parents, and lists each new one with a slash at its end.
make_folder() {
  [ ! -d "$root/$1" ] || return 0
  [ "$1" = . ] || make_folder "$(dirname "$1")"
  if [ "$1" = . ]; then install -d -m 755 "$root"; else install -d -m 755 "$root/$1"; fi
  echo "$1/" >>"$temporary/installed"
}

# put MODE FILE PLACE: installs a file at PLACE below the prefix.
put() {
  make_folder "$(dirname "$3")"
  install -D -m "$1" "$2" "$root/$3"
  echo "$3" >>"$temporary/installed"
}

put 755 "$program" bin/overline

for snippet in "$config"/overline.tmux "$config"/overline.toml "$config"/prompt/* "$config"/bar/* \
  "$config"/prometheus/alerts.yml "$config"/prometheus/dashboard.json; do
  case $snippet in *.tmux) mode=755 ;; *) mode=644 ;; esac
  put $mode "$snippet" "share/overline/${snippet#"$config"/}"
done

# systemd reads units below share in ~/.local, /usr/local and /usr (systemd.unit(5)). A unit cannot find out where it was installed.
quoted=$(printf %s "$prefix/bin/overline" | sed 's/%/%%/g; s/[\\&|]/\\&/g')
for unit in overline.service overline.socket; do
  sed "s|@OVERLINE@|$quoted|" "$config/$unit" >"$temporary/$unit"
  put 644 "$temporary/$unit" "share/systemd/user/$unit"
done

# bash sources the file: it is no program.
"$program" --generate-completion-script bash | sed '1{/^#!/d}' >"$temporary/bash"
"$program" --generate-completion-script zsh >"$temporary/zsh"
"$program" --generate-completion-script fish >"$temporary/fish"
put 644 "$temporary/bash" share/bash-completion/completions/overline
put 644 "$temporary/zsh" share/zsh/site-functions/_overline
put 644 "$temporary/fish" share/fish/vendor_completions.d/overline.fish

# The pages have the release's date, so that two builds of one source are alike.
day=$(sed -n 's/^ -- .*>  //p' "$config/debian/changelog" | head -n 1)
mkdir "$temporary/man"
"$program" --experimental-dump-help | "$manual" "$temporary/man" "$(LC_ALL=C date -u -d "$day" '+%B %-d, %Y')"
for page in "$temporary"/man/*; do put 644 "$page" "share/man/man1/${page##*/}"; done
