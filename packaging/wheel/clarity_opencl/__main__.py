# SPDX-License-Identifier: Apache-2.0
# This file prints the variables that lead OpenCL loaders to Clarity: eval "$(python -m clarity_opencl)".
"""Prints the environment for OpenCL programs as commands of a shell."""

import shlex

from clarity_opencl import environment

for name, value in environment().items():
    print(f"export {name}={shlex.quote(value)}")
