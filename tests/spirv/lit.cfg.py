# SPDX-License-Identifier: Apache-2.0
import os

import lit.formats

config.name = "spirv"
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [".spvasm"]
config.test_source_root = os.path.dirname(__file__)
config.substitutions.append(("%clarity", config.clarity))
config.substitutions.append(("FileCheck", config.filecheck))
config.substitutions.append(("spirv-as", config.spirv_as))
for name, value in os.environ.items():
    if name.startswith(("CLARITY_", "ASAN_", "LSAN_", "UBSAN_", "TSAN_")):
        config.environment[name] = value
