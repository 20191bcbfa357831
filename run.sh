#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the driver, the command and the samples, and runs every sample on the CPU: one table of times, rates and
# whether the results are right.
# Arguments go to `clarity bench` (--help lists them). Exit status 1 if any result is wrong.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/scripts/setup.sh"
install_packages
build release clarity clarity_tool sample_programs
exec "$root/build/release/bin/clarity" bench "$@"
