#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the stress scenarios on the release build.
#   tests/stress/run.sh MINUTES            all of them
#   tests/stress/run.sh MINUTES OPTIONS    with options of the program: --seed N, --scenario NAME, ...
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../../scripts/setup.sh"
[[ ${1:-} =~ ^[0-9]+(\.[0-9]+)?$ ]] || fail "usage: tests/stress/run.sh MINUTES [OPTIONS]"
minutes=$1
shift
install_packages
build release
export OCL_ICD_VENDORS=$root/build/release/clarity.icd OCL_ICD_FILENAMES=$root/build/release/lib/libclarity.so
exec "$root/build/release/bin/stress" --minutes "$minutes" "$@"
