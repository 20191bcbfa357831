# SPDX-License-Identifier: Apache-2.0
# Configuration of the command's tests. The build passes what it knows as --param.
import os
import platform
import shutil

import lit.formats

config.name = "clarity command"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = lit_config.params.get("scratch", os.path.join(os.getcwd(), "tool-tests"))

inputs = os.path.join(config.test_source_root, "Inputs")
python = lit_config.params.get("python", "python3")
config.substitutions += [
    ("%clarity", lit_config.params.get("clarity", "clarity")),
    ("%version", lit_config.params.get("version", "")),
    ("%inputs", inputs),
    ("%python", python),
    ("%kernels", os.path.join(config.test_source_root, "..", "..", "bench", "kernels")),
    ("%documents", os.path.join(config.test_source_root, "..", "..", "docs")),
    ("%exit", f"{python} {inputs}/exit.py"),
    ("%files", f"{python} {inputs}/files.py"),
    ("%stub", lit_config.params.get("stub", "")),
    ("FileCheck", lit_config.params.get("filecheck", "FileCheck-22")),
]

# The driver under test, its cache, and what sanitizers want.
for name in os.environ:
    if name.startswith(("CLARITY_", "OCL_ICD_", "POCL_", "ASAN_", "LSAN_", "UBSAN_", "TSAN_", "XDG_")):
        config.environment[name] = os.environ[name]
config.environment["NO_COLOR"] = "1"

if platform.machine() == "x86_64":
    config.available_features.add("x86-64")
if "compiler" in lit_config.params:
    config.available_features.add("compiler")
if not {"ASAN_OPTIONS", "TSAN_OPTIONS"} & os.environ.keys():
    config.available_features.add("address-limits")  # sanitizers reserve terabytes of addresses
# Debuggers and profilers that tests of code under other tools' eyes use; lit names what is missing.
for tool in ("gdb",):
    if shutil.which(tool):
        config.available_features.add(tool)
# The driver lies beside the command, which some tests take away from it.
if "CLARITY_ICD" not in os.environ:
    config.available_features.add("own-driver")
