#!/bin/sh
# Runs the service through an outage, in a network namespace of its own: PROGRAM.
set -eu
exec unshare --map-root-user --net sh -c '
  set -eu
  ip link set lo up
  # No router is at the other end: the kernel must not ask for one.
  ip link add v0 type veth peer name v1
  ip link set v0 up arp off
  ip link set v1 up
  ip addr add 192.0.2.2/24 dev v0
  ip route add default via 192.0.2.1
  "$1" 8080 2>"$2" &
  service=$!
  trap "kill -9 $service 2>/dev/null || true; rm -f $2" EXIT
  become() {
    turns=0
    until [ "$(curl -s -o /dev/null -w "%{http_code}" http://127.0.0.1:8080/health || true)" = "$1" ]; do
      turns=$((turns + 1))
      [ $turns -lt 300 ] || { echo "/health has not become $1" >&2; cat "$2" >&2; exit 1; }
      sleep 0.1
    done
    echo "/health: $1"
  }
  become 200 "$2"
  # The link flaps: the service must not report it.
  for turn in 1 2 3; do
    ip link set v1 down
    sleep 0.5
    ip link set v1 up
    sleep 0.5
  done
  become 200 "$2"
  ! grep -q offline "$2" || { echo "the service reported a flap" >&2; cat "$2" >&2; exit 1; }
  ip link set v1 down
  become 503 "$2"
  ip link set v1 up
  become 200 "$2"
  kill -TERM $service
  trap "rm -f $2" EXIT
  wait $service || { echo "the service ended with $?" >&2; cat "$2" >&2; exit 1; }
  echo "the service has ended by SIGTERM"
' sh "$1" "$(mktemp)"
