# SPDX-License-Identifier: Apache-2.0
"""Runs kernels for probe.py with the tool `clarity`: their list, their accesses, checked and timed launches."""
import hashlib
import json
import os
import re
import subprocess
import time

LAUNCH_SECONDS = 10  # a launch that takes longer is no case to measure
CHECKED_SECONDS = 6  # many accesses outside of their memory take long
RUNS = 3


class Tool:
    """The tool, for one file."""

    def __init__(self, program, scratch, text):
        self.program, self.scratch, self.text = program, scratch, text
        self.file = scratch / "program.cl"
        self.file.write_text(text, encoding="utf-8")
        self.deadline = time.monotonic()
        self.environment = dict(os.environ, CLARITY_DEVICES="cpu", CLARITY_FIRST_LAUNCH="full", NO_COLOR="1",
                                CLARITY_MESSAGES="never")

    def begin(self, seconds):
        self.deadline = time.monotonic() + seconds

    def late(self):
        return time.monotonic() > self.deadline

    def call(self, *words, limit=LAUNCH_SECONDS, **environment):
        try:
            return subprocess.run([self.program, *map(str, words)], env=self.environment | environment,
                                  capture_output=True, text=True, errors="replace", check=False,
                                  timeout=limit)
        except subprocess.TimeoutExpired:
            return None

    def kernels(self, options):
        """The declarations of the kernels; (None, log) if the file does not build."""
        run = self.call("exec", *build(options), self.file)
        if run is None:
            return None, "compiling it takes too long"
        lines = [line.strip() for line in (run.stdout + run.stderr).splitlines() if re.match(r"  \w+\(.*\)$", line)]
        return (lines, "") if lines and "name of a kernel is missing" in run.stderr else (None, run.stderr)

    def accesses(self, kernel, options):
        """{name of an argument: set of 'reads' and 'writes'}; None if the compiler does not know."""
        run = self.call("compile", self.file, "--emit", "accesses", "-o", "-", "--", *options.split())
        if run is None or run.returncode:
            return None
        part = re.search(rf"^kernel '{kernel}'.*\n((?:  .*\n)*)", run.stdout, re.MULTILINE)
        if not part:
            return None
        found = {}
        for verb, argument in re.findall(r"^  (\w+) .*?of '(\w+)'", part.group(1), re.MULTILINE):
            found.setdefault(argument, set()).add(verb)
        return found

    def outside(self, kernel, options, trial):
        """{index of an argument: an element that was accessed outside}, key None: of other memory; None: no launch."""
        run = self.call("exec", *build(options), "--check=bounds", "--json", *trial.words(kernel), self.file,
                        kernel.name, limit=CHECKED_SECONDS, CLARITY_CHECK_SECONDS="2")
        if run is None or run.returncode not in (0, 1) or not run.stdout.startswith("{"):
            return None
        found = {}
        for finding in json.loads(run.stdout).get("findings", []):
            if finding["kind"] != "out-of-bounds":
                return None
            element = re.search(r"element (-?\d+) ", finding.get("what", ""))
            texts = [finding["summary"], *(other.get("what", "") for other in finding.get("others", []))]
            for i, text in enumerate(texts):
                argument = re.search(r"argument (\d+)", text)
                index = int(argument.group(1)) if argument else None
                found.setdefault(index, int(element.group(1)) if element and i == 0 else 0)
        return found

    def races(self, kernel, options, trial):
        """Whether work-items of a part of the range race. A check that does not end in time finds nothing."""
        words = trial.words(kernel, part=trial.first_part())
        run = self.call("exec", *build(options), "--check=races", "--json", *words, self.file, kernel.name,
                        limit=CHECKED_SECONDS, CLARITY_CHECK_SAME_VALUE="1")
        return run is not None and run.stdout.startswith("{") and bool(json.loads(run.stdout).get("findings"))

    def results(self, outputs):
        digest = hashlib.sha256()
        for output in outputs:
            digest.update(output.read_bytes())
        return digest.hexdigest()

    def run(self, kernel, options, trial, threads):
        """A digest of the results and the microseconds of a launch; (None, 0) if it fails."""
        outputs = {index: self.scratch / f"{index}.raw" for index in trial.results()}
        words = [word for index, file in outputs.items() for word in ("-o", f"{index}={file}")]
        run = self.call("exec", *build(options), "--json", "-n", RUNS, *words, *trial.words(kernel), self.file,
                        kernel.name, CLARITY_THREADS=str(threads))
        if run is None or run.returncode or not run.stdout.startswith("{"):
            return None, 0
        return self.results(outputs.values()), min(json.loads(run.stdout)["seconds"]) * 1e6

    def contents_before(self, kernel, trial):
        """The digest of the same buffers if no kernel changes them."""
        file = self.scratch / "nothing.cl"
        file.write_text(f"kernel void nothing({trial.declarations(kernel)}) {{}}\n", encoding="utf-8")
        outputs = {index: self.scratch / f"{index}.raw" for index in trial.results()}
        words = [word for index, output in outputs.items() for word in ("-o", f"{index}={output}")]
        run = self.call("exec", "-q", *words, *trial.words(kernel, types=False), file, "nothing")
        return self.results(outputs.values()) if run and run.returncode == 0 else None


def build(options):
    return ["--build", options.strip()] if options.strip() else []
