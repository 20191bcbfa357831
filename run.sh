#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds all that is installed: the driver, the command, its pages and the samples. Then runs every sample on the CPU:
# one table of times, rates and whether the results are right.
# Arguments go to `clarity bench` (--help lists them). Exit status 1 if any result is wrong.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/scripts/setup.sh"
install_packages
build release installed
exec "$root/build/release/bin/clarity" bench "$@"
