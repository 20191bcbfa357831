# SPDX-License-Identifier: Apache-2.0
# An example of StarPU that checks itself, with OpenCL as the only place where tasks can run. Others look for their
# kernels in the folder where StarPU was built (starpu_opencl_load_opencl_from_file fails).
title="StarPU: example vector_scal"
packages="starpu-examples"

examples="vector_scal"

work() {
  export STARPU_NCPU=0 STARPU_NCUDA=0 STARPU_OPENCL_ON_CPUS=1 STARPU_OPENCL_ONLY_ON_CPUS=1 STARPU_HOME=$PWD
  export STARPU_SILENT=1
  local example
  rm -f trace
  for example in $examples; do
    traced "/usr/lib/x86_64-linux-gnu/starpu/examples/$example" >"$example.log" 2>&1 || wrong "$(cat "$example.log")"
  done
}

check() {
  grep -q 'Computation is correct' vector_scal.log || wrong "$(tail -n 3 vector_scal.log)"
  launched
  echo "the example's own check, kernels launched"
}
