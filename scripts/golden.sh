#!/bin/sh
# Writes internal/soft/gcn/testdata/*.txt anew: what LLVM prints for every form
# of every instruction. Fails if LLVM says anything that is not about an
# encoding, for it replaces a chip that it does not know by another without an error.
set -eu
cd "$(dirname "$0")/.."
command -v llvm-mc-22 >/dev/null || { echo "golden.sh: llvm-mc-22 is not installed" >&2; exit 1; }
CGO_ENABLED=0 exec go test ./internal/soft/gcn -count=1 -run 'TestGolden' -update "$@"
