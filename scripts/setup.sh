#!/bin/sh
# Installs the Debian/Ubuntu packages that a build (and, with "test", the test suite) needs and that are missing.
# Usage: scripts/setup.sh build|test
# Asks before it uses sudo, unless it runs as root or CI=true. Anywhere else than on Debian-like systems it names what is
# missing and stops: nothing is installed behind the user's back.
set -eu

need_cmd() { command -v "$1" >/dev/null 2>&1 || missing="$missing $2"; }
need_file() { [ -e "$1" ] || missing="$missing $2"; }
need_pkg() { dpkg -s "$1" >/dev/null 2>&1 || missing="$missing $1"; }

missing=
what=${1:-build}
need_cmd g++ g++
need_cmd make make
need_cmd pkg-config pkg-config
need_cmd clang clang
need_cmd llvm-strip llvm
if command -v dpkg >/dev/null 2>&1; then
  for package in libbpf-dev libelf-dev zlib1g-dev; do need_pkg "$package"; done
else
  need_file /usr/include/bpf/libbpf.h libbpf-dev
fi
if [ "$what" = test ]; then
  # shellcheck disable=SC2013
  for package in $(sed 's/#.*//' "$(dirname "$0")/test-packages.txt"); do need_pkg "$package"; done
fi

[ -n "$missing" ] || exit 0
if ! command -v apt-get >/dev/null 2>&1; then
  echo "setup: missing (by their Debian names):$missing" >&2
  echo "setup: install them with your package manager, then run make again" >&2
  exit 3
fi

as_root=
if [ "$(id -u)" != 0 ]; then
  as_root=sudo
  if [ "${CI:-}" != true ]; then
    printf 'setup: needs these packages:%s\nInstall them with sudo apt-get? [y/N] ' "$missing" >&2
    read -r answer || answer=n
    case $answer in y | Y | yes) ;; *) echo 'setup: nothing installed' >&2; exit 3 ;; esac
  fi
fi
echo "setup: installing$missing" >&2
$as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq
# shellcheck disable=SC2086
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
