# SPDX-License-Identifier: Apache-2.0
# The tests that tinygrad's source package has (test_tiny.py: operations, training steps, JIT, images), with its OpenCL
# back end.
title="tinygrad's tests"
python_packages="tinygrad numpy pytest"
seconds=900

prepare() {
  local version
  version=$("$PYTHON" -c 'import importlib.metadata as m; print(m.version("tinygrad"))')
  "$PYTHON" -m pip -q download --no-deps --no-binary tinygrad "tinygrad==$version"
  tar -xzf tinygrad-*.tar.gz --wildcards '*/test/*' --strip-components=1
}

work() {
  rm -f trace
  DEV=CL CACHELEVEL=0 traced "$PYTHON" -m pytest -q -p no:cacheprovider test >tests.log 2>&1 || true
}

check() {
  local last
  last=$(tail -n 1 tests.log)
  grep -qE '^[0-9]+ passed' <<<"$last" || wrong "$(grep -E '^(FAILED|ERROR)' tests.log | head -n 5) $last"
  launched
  echo "${last%% *} tests pass"
}
