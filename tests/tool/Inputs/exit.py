# SPDX-License-Identifier: Apache-2.0
# This file runs a command and succeeds when it ends with the exit code that the first word names.
import subprocess
import sys

wanted = int(sys.argv[1])
code = subprocess.run(sys.argv[2:]).returncode
if code != wanted:
    sys.exit(f"exit code {code}, not {wanted}, of: {' '.join(sys.argv[2:])}")
