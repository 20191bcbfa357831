#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs QGIS' raster analyses with and without OpenCL on one height field and compares the results.

QGIS runs this file (`qgis --code`), as only its main program sets the folder of its OpenCL programs. The results are
written to the file "compared".
"""
import os

import numpy
from osgeo import gdal
from qgis import analysis
from qgis.core import QgsSettings

WIDTH, HEIGHT = 800, 600


def heights(path):
    """Hills with cells of 10 metres. No height is 0, which means 'no data': there the two compute different things."""
    y, x = numpy.mgrid[0:HEIGHT, 0:WIDTH].astype(numpy.float32)
    z = 1000 + 200 * numpy.sin(x / 50) * numpy.cos(y / 37) + 0.3 * x + 5 * numpy.sin(x / 3 + y / 5)
    data = gdal.GetDriverByName("GTiff").Create(path, WIDTH, HEIGHT, 1, gdal.GDT_Float32)
    data.SetGeoTransform((0, 10, 0, 6000, 0, -10))
    data.GetRasterBand(1).WriteArray(z)


def filters(source, result):
    yield "slope", analysis.QgsSlopeFilter(source, result, "GTiff")
    yield "aspect", analysis.QgsAspectFilter(source, result, "GTiff")
    yield "hill shade", analysis.QgsHillshadeFilter(source, result, "GTiff", 300, 40)
    yield "ruggedness", analysis.QgsRuggednessFilter(source, result, "GTiff")


def computed(source, opencl):
    QgsSettings().setValue("OpenClEnabled", opencl, QgsSettings.Core)
    results = {}
    for name, each in filters(source, "result.tif"):
        status = each.processRaster(None)
        if status != 0:
            raise RuntimeError(f"{name}, OpenCL {opencl}: status {status}")
        results[name] = gdal.Open("result.tif").ReadAsArray()
    return results


def compared():
    """The line for the check."""
    heights("heights.tif")
    expected = computed("heights.tif", False)
    found = computed("heights.tif", True)
    for name, values in expected.items():
        # Its CPU code computes the last row as if there were another below it.
        difference = numpy.abs(values - found[name])[:-1]
        if name == "aspect":
            difference = numpy.minimum(difference, numpy.abs(360 - difference))
        if numpy.ptp(values) == 0 or not difference.max() <= 0.01:
            where = numpy.unravel_index(difference.argmax(), difference.shape)
            raise RuntimeError(f"{name}: largest difference {difference.max()} at {where}")
    return f"all right: {', '.join(expected)} against those of the CPU"


try:
    LINE = compared()
except Exception as error:  # whatever it is, the check shows it
    LINE = f"wrong: {error}"
with open("compared", "w", encoding="utf-8") as file:
    print(LINE, file=file)
os._exit(0)  # QGIS would wait for its window
