# SPDX-License-Identifier: Apache-2.0
# Operations of GEGL (GIMP's) that have OpenCL kernels, beside the same operations without OpenCL.
title="GEGL: operations"
packages="gegl ffmpeg"

# Operation, its properties, largest difference.
operations() {
  cat <<'LINES'
box-blur|radius=4|1
brightness-contrast|contrast=1.3 brightness=0.1|1
edge-laplace||1
pixelize|size-x=8 size-y=8|1
motion-blur-linear|length=9 angle=20|1
bilateral-filter|blur-radius=3|2
color-temperature|intended-temperature=5000|1
levels|in-low=0.1 in-high=0.8|1
threshold|value=0.4|0
invert-linear||1
mono-mixer|red=0.3|1
posterize|levels=5|1
alien-map||2
texturize-canvas||1
LINES
}

all() {
  local use=$1 name properties largest
  while IFS='|' read -r name properties largest; do
    # shellcheck disable=SC2086 # properties are words
    CLARITY_TRACE=$PWD/trace.$name GEGL_USE_OPENCL=$use \
      gegl source.png -o "$name.$use.png" -- "gegl:$name" $properties 2>gegl.log </dev/null
  done < <(operations)
}

prepare() {
  picture 800x600 source.png
  all no
}

work() {
  rm -f trace.*
  all cpu
}

check() {
  local name properties largest count=0
  while IFS='|' read -r name properties largest; do
    launched "trace.$name"
    pixels "$name.cpu.png" "$name.cpu.rgb"
    pixels "$name.no.png" "$name.no.rgb"
    # A value beside a step may fall on its other side.
    compare --largest "$largest" --many 0.0001 "$name.cpu.rgb" "$name.no.rgb" || wrong "$name"
    count=$((count + 1))
  done < <(operations)
  echo "$count operations against those of the CPU"
}
