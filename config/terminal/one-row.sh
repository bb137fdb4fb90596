#!/bin/sh
# The banner's words in a pane of one row, without a line feed that would scroll them away.
overline watch --format plain | while IFS= read -r line; do printf '\r\033[K%s' "$line"; done
