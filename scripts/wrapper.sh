#!/bin/sh
# Runs the tracer of one checkout with the node that built it, whatever PATH says (sudo resets it; nvm's node is not in it).
exec "@NODE@" --enable-source-maps "@ROOT@/build/js/cli/main.js" "$@"
