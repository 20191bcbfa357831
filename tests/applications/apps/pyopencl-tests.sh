# SPDX-License-Identifier: Apache-2.0
# PyOpenCL's own test-suite, which only its source package has. Tests that do not pass are listed with their reason.
title="PyOpenCL's test-suite"
python_packages="pyopencl numpy pytest mako"
seconds=1800
remark="left out: the list in tests/applications/apps/pyopencl-tests.sh"

# Name and why the test is at fault.
left_out() {
  cat <<'LINES'
test_get_info: reads an attribute that images do not have, and leaves images out on PoCL and Intel
test_xdg_cache_home: expects a relative XDG_CACHE_HOME to be used, which platformdirs ignores, as its standard says
test_struct_reduce: uses a type that an earlier test of the process registered under another name
LINES
}

prepare() {
  local version
  version=$("$PYTHON" -c 'import importlib.metadata as m; print(m.version("pyopencl"))')
  "$PYTHON" -m pip -q download --no-deps --no-binary pyopencl "pyopencl==$version"
  tar -xzf pyopencl-*.tar.gz --wildcards '*/test/*' --strip-components=1
}

work() {
  unset PYOPENCL_NO_CACHE
  local without
  without=$(left_out | cut -d : -f 1 | paste -sd '|' | sed 's/|/ or /g')
  PYOPENCL_TEST=0:0 "$PYTHON" -m pytest -q -p no:cacheprovider -k "not ($without)" test >tests.log 2>&1 || true
}

check() {
  local last
  last=$(tail -n 1 tests.log)
  grep -qE '^[0-9]+ passed' <<<"$last" || wrong "$(grep -E '^(FAILED|ERROR)' tests.log | head -n 5) $last"
  [ "${last%% *}" -ge 250 ] || wrong "$last"
  echo "${last%% *} tests pass; $(left_out | wc -l) are left out"
}
