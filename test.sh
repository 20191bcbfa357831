#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds Clarity and runs its tests.
#   ./test.sh                what CI runs: the release build, every test
#   ./test.sh dev|asan|tsan  the same tests on another preset
#   ./test.sh PRESET REGEX   only the tests whose names match
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/scripts/setup.sh"
preset=${1:-release}
case $preset in release | dev | asan | tsan) ;; *) fail "'$preset' is not a preset: release, dev, asan or tsan" ;; esac
install_packages
status=0
run_tests() {
  # One more than there are processors: some tests wait for programs that they have started.
  (cd "$root/build/$preset" && ctest --output-on-failure --parallel $(($(nproc) + 1)) "$@") || status=1
}
if [ "$preset" = release ] && [ $# -lt 2 ]; then
  # Installing and packing must work when only the targets of run.sh are built.
  build release installed
  run_tests --tests-regex '^install\.'
  build release
  run_tests --exclude-regex '^install\.'
else
  build "$preset"
  run_tests ${2:+--tests-regex "$2"}
fi
exit $status
