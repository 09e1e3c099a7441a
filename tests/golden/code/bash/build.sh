#!/usr/bin/env bash
# Builds every target.
set -euo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/lib/log.sh"

TARGETS=(linux darwin)
export OUT_DIR="${OUT_DIR:-dist}"

build() {
  local target=$1
  local out="$OUT_DIR/$target"
  mkdir -p "$out"
  info "building $target into ${out}"
}

function clean {
  rm -rf "$OUT_DIR"
}

trap clean INT

for target in "${TARGETS[@]}"; do
  build "$target" || fail "no $target"
done
