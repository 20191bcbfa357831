# SPDX-License-Identifier: Apache-2.0
# tinygrad: arithmetic beside NumPy, and a small network that learns (use_tinygrad.py).
title="tinygrad"
python_packages="tinygrad numpy"

work() { DEV=CL CACHELEVEL=0 "$PYTHON" "$APPLICATIONS/apps/use_tinygrad.py" >tinygrad.log; }

check() {
  grep -qx 'all right' tinygrad.log || wrong "$(tail -n 1 tinygrad.log)"
  echo "operations against NumPy, a training whose loss falls"
}
