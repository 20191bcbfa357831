# SPDX-License-Identifier: Apache-2.0
# CLBlast's own tests of some routines, which compare with a CPU BLAS, and one of its tuners.
title="CLBlast: tests and a tuner"
packages="clblast-tests clblast-utils"
seconds=600

# xamax without iHAMAX: its test reads the index, 32 bits, as a half (docs/applications.md).
routines="xaxpy xdot xamax"

work() {
  local routine
  for routine in $routines; do
    "clblast_test_$routine" -precision 32 2>&1 | sed "/Starting tests for the .*'iHAMAX'/,\$d" >"$routine.log" || true
  done
  clblast_tuner_xaxpy -precision 32 -runs 1 -fraction 0.5 >tuner.log 2>&1
}

check() {
  local routine count=0 passed
  for routine in $routines; do
    passed=$(sed -n 's/.*[^0-9]\([0-9][0-9]*\) test(s) passed.*/\1/p' "$routine.log" | tail -n 1)
    [ "${passed:-0}" -gt 0 ] || wrong "$routine: $(tail -n 3 "$routine.log")"
    grep -q '[^0-9]0 test(s) failed' "$routine.log" || wrong "$routine: $(tail -n 3 "$routine.log")"
    count=$((count + passed))
  done
  grep -q 'Completed tuning process' tuner.log || wrong "tuner: $(tail -n 3 tuner.log)"
  echo "$count of CLBlast's tests, tuner of xaxpy"
}
