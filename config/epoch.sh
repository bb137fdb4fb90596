#!/bin/sh
# Prints the release's time in seconds since 1970. Manual and packages have it as their time, so that two builds of one source are alike.
set -eu
[ -z "${SOURCE_DATE_EPOCH:-}" ] || { echo "$SOURCE_DATE_EPOCH" && exit; }
date -u -d "$(sed -n 's/^ -- .*>  //p' "$(dirname "$0")/debian/changelog" | head -n 1)" +%s
