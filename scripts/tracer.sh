#!/bin/sh
# The command of the installed package: runs the tracer with the node that npm installed it for, which lies beside the link
# that was called, or else with the one in PATH.
# A young generation of 4 MiB instead of 16: as scripts/wrapper.sh, which runs a checkout.
root=$(dirname -- "$(dirname -- "$(readlink -f -- "$0")")")
node=$(dirname -- "$0")/node
[ -x "$node" ] || node=node
exec "$node" --max-semi-space-size=4 "$root/build/js/cli/main.js" "$@"
