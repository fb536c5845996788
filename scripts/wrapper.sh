#!/bin/sh
# Runs the tracer of one checkout with the node that built it, whatever PATH says (sudo resets it; nvm's node is not in it).
# A young generation of 4 MiB instead of 16: most of what is decoded is garbage at once, so that it costs no time (measured: the
# same) and saves some 20 MB.
exec "@NODE@" --enable-source-maps --max-semi-space-size=4 "@ROOT@/build/js/cli/main.js" "$@"
