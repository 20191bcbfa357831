# SPDX-License-Identifier: Apache-2.0
# Leela Zero evaluates a Go position with a small network of random weights, beside its own evaluation on the CPU. The
# first start tries 290 forms of its matrix multiplication; the choice is kept in its home.
title="Leela Zero"
packages="leela-zero"
remark="\`--gpu 0\`: otherwise it uses no CPU device; its first run tunes (290 kernels)"
seconds=900

evaluate() {
  printf '%s\n' 'play b D4' 'play w Q16' 'play b C10' heatmap 'play w R4' heatmap quit |
    traced /usr/lib/leelaz/bin/leelaz --weights weights --gtp --threads 1 --noponder "$@"
}

# The policy of every point, the pass and the winning rate, one a line; the rate in thousandths, as the policy is.
values() {
  sed -n -E -e 's/^winrate: 0\.([0-9]{3}).*/\1/p' -e 's/^pass: ([0-9]+)$/\1/p' -e '/^ *([0-9]+ +){18}[0-9]+ *$/p' "$1" |
    tr -s ' ' '\n' | grep .
}

prepare() {
  export HOME=$PWD
  python3 "$APPLICATIONS/apps/make_leela_weights.py" >weights
  evaluate --cpu-only >cpu.log 2>&1
}

work() {
  mkdir -p "$HOME/.local/share/leela-zero"
  rm -f trace
  evaluate --gpu 0 --precision single >opencl.log 2>&1
}

check() {
  launched
  values cpu.log >cpu.values
  values opencl.log >opencl.values
  [ "$(wc -l <cpu.values)" -eq 726 ] || wrong "$(wc -l <cpu.values) values on the CPU"
  [ "$(wc -l <opencl.values)" -eq 726 ] || wrong "$(tail -n 3 opencl.log)"
  # Values are whole thousandths; 300 and more for one point is a peak.
  paste cpu.values opencl.values | awk '
    { d = $1 - $2; if (d < -1 || d > 1) bad++; if ($1 > 50) peaks++ }
    END { exit bad > 0 || peaks < 2 }' || wrong "$(paste cpu.values opencl.values | sort -rn | head -n 5)"
  echo "policy and winning rate of two positions against its CPU evaluation"
}
