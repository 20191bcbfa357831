#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs packaged OpenCL applications on Clarity and checks their results; run.py says how.
#   tests/applications/run.sh --list
#   tests/applications/run.sh ffmpeg clfft
#   tests/applications/run.sh --install --all
exec python3 "$(dirname "${BASH_SOURCE[0]}")/run.py" "$@"
