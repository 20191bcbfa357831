# SPDX-License-Identifier: Apache-2.0
# OpenMM's own comparison of forces between its platforms, on its OpenCL platform and its reference.
title="OpenMM"
python_packages="openmm numpy"

work() { "$PYTHON" "$APPLICATIONS/apps/use_openmm.py" >openmm.log; }

check() {
  grep -qx 'all right' openmm.log || wrong "$(tail -n 1 openmm.log)"
  echo "forces and energy of 512 charged particles against the reference platform"
}
