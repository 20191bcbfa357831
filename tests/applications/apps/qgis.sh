# SPDX-License-Identifier: Apache-2.0
# QGIS' raster analyses that have OpenCL kernels (slope, aspect, hill shade, ruggedness), beside the same on the CPU.
title="QGIS: raster analysis"
packages="qgis python3-qgis qgis-providers python3-gdal xvfb xauth"
shown="qgis"

work() {
  rm -f trace compared
  # It takes the first of several Pythons, and has modules for Debian's only.
  export PATH=/usr/bin:$PATH
  traced xvfb-run -a qgis --nologo --noversioncheck --noplugins --nocustomization \
    --code "$APPLICATIONS/apps/use_qgis.py" >qgis.log 2>&1
}

check() {
  grep -q '^all right' compared || wrong "$(cat compared || tail -n 3 qgis.log)"
  launched
  sed 's/^all right: //' compared
}
