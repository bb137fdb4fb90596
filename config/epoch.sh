#!/bin/sh
# Prints the release's time in seconds since 1970. Manual and packages have it as their time, so that two builds of one source are alike.
set -eu
case ${SOURCE_DATE_EPOCH:-} in
  "") ;;
  *[!0-9]*) echo "overline: SOURCE_DATE_EPOCH is a number of seconds, and is \"$SOURCE_DATE_EPOCH\"" >&2; exit 1 ;;
  *) echo "$SOURCE_DATE_EPOCH"; exit ;;
esac
date -u -d "$(sed -n 's/^ -- .*>  //p' "$(dirname "$0")/debian/changelog" | head -n 1)" +%s
