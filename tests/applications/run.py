#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs packaged OpenCL applications on a driver and checks their results.

    run.py NAME...          these applications; each prints one line
    run.py --all            every application whose packages are installed
    run.py --list           the applications, their packages and whether these are installed
    --install               installs missing packages first (apt-get as root, pip in a folder of its own)
    --driver ICD            an .icd file or a driver; default: build/release/lib/libclarity.so
    --under COMMAND         runs each beneath `clarity profile` or `clarity check`, whose report is printed
    --measure               times Clarity and PoCL, three runs each in turn, and writes docs/applications.md
    --intel ICD             with --measure: Intel's CPU runtime beside them, libintelocl.so of `intel-opencl-rt`
    --once                  with --measure: Clarity's first run and one more, and no other, for what takes long
    --document              writes docs/applications.md from the results of earlier measurements

An application is a file of apps/, a part of a shell script: README.md says what it holds. Exit status: 0 if all ran
and were right, 77 if packages are missing, 1 otherwise.
"""
import argparse
import datetime
import json
import os
import pathlib
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
RESULTS = HERE / "results.json"
DOCUMENT = ROOT / "docs" / "applications.md"
BEGIN = "<!-- begin: tests/applications/run.py -->"
END = "<!-- end: tests/applications/run.py -->"
POCL = "/etc/OpenCL/vendors/pocl.icd"
DRIVERS = {"clarity": "Clarity", "pocl": "PoCL", "intel": "Intel"}  # as results name them, as the table does
MISSING = 77
RUNS = 3
VARIABLES = ("title", "packages", "python_packages", "shown", "remark", "seconds")


class Failure(Exception):
    """A step of an application failed; the text says which and why."""


class Application:
    """A file of apps/: its variables and functions."""

    def __init__(self, path):
        self.name = path.stem
        self.path = path
        script = f'source "{path}"; for v in {" ".join(VARIABLES)}; do printf "%s\\0" "${{!v-}}"; done'
        values = subprocess.run(["bash", "-euc", script], check=True, capture_output=True, text=True).stdout.split("\0")
        self.variables = dict(zip(VARIABLES, values))
        self.packages = self.variables["packages"].split()
        self.python_packages = self.variables["python_packages"].split()
        self.limit = int(self.variables["seconds"] or 300)

    def missing(self, venv):
        """Packages that are not installed."""
        found = subprocess.run(["dpkg-query", "-W", "-f=${db:Status-Abbrev}${Package}\n"], capture_output=True,
                               text=True)
        installed = {line[3:].strip() for line in found.stdout.splitlines() if line.startswith("ii")}
        lacking = [package for package in self.packages if package not in installed]
        if self.python_packages:
            program = ("import importlib.metadata as m, re, sys\n"
                       "have = {re.sub('[-_.]+', '-', d.metadata['Name'].lower()) for d in m.distributions()}\n"
                       "print(*[p for p in sys.argv[1:] if p.split('==')[0].lower() not in have])")
            python = venv / "bin" / "python3"
            if python.exists():
                run = subprocess.run([python, "-c", program, *self.python_packages], capture_output=True, text=True)
                lacking += [f"python:{package}" for package in run.stdout.split()]
            else:
                lacking += [f"python:{package}" for package in self.python_packages]
        return lacking


def install(missing, venv):
    """Installs what Application.missing returned."""
    debian = [package for package in missing if not package.startswith("python:")]
    python = [package.removeprefix("python:") for package in missing if package.startswith("python:")]
    if debian:
        command = ["apt-get", "-q", "install", "-y", "--no-install-recommends", *debian]
        if os.geteuid() != 0:
            command.insert(0, "sudo")
        run = subprocess.run(command, capture_output=True, text=True,
                             env=os.environ | {"DEBIAN_FRONTEND": "noninteractive"})
        if run.returncode:
            raise Failure(f"apt-get could not install {' '.join(debian)}: {run.stderr.strip()[-400:]}")
    if python:
        if not venv.exists():
            subprocess.run([sys.executable, "-m", "venv", venv], check=True)
        run = subprocess.run([venv / "bin" / "pip", "-q", "install", *python], capture_output=True, text=True)
        if run.returncode:
            raise Failure(f"pip could not install {' '.join(python)}: {run.stderr.strip()[-400:]}")


class Place:
    """A driver with caches of its own: the environment in which an application runs on it."""

    def __init__(self, driver, folder, under=None):
        self.folder = folder
        # bin/clarity beside lib/libclarity.so, as built and as installed
        self.under = [str(pathlib.Path(driver).resolve().parent.parent / "bin" / "clarity"), under] if under else []
        vendors = folder / "vendors"
        vendors.mkdir(parents=True, exist_ok=True)
        driver = pathlib.Path(driver).resolve()
        text = driver.read_text() if driver.suffix == ".icd" else f"{driver}\n"
        (vendors / "driver.icd").write_text(text)
        self.environment = {
            "OCL_ICD_VENDORS": str(vendors), "OCL_ICD_FILENAMES": text.strip(),
            "CLARITY_CACHE_DIR": str(folder / "clarity"), "POCL_CACHE_DIR": str(folder / "pocl"),
            "XDG_CACHE_HOME": str(folder / "cache"), "XDG_CONFIG_HOME": str(folder / "config"),
            "HOME": str(folder / "home"), "PYOPENCL_NO_CACHE": "1"}

    def empty_caches(self):
        for name in ("clarity", "pocl", "cache", "config", "home"):
            shutil.rmtree(self.folder / name, ignore_errors=True)
            (self.folder / name).mkdir(parents=True)


def step(application, function, scratch, venv, place=None):
    """Calls a function of the application's file; returns its output and its seconds."""
    environment = os.environ | {"APPLICATIONS": str(HERE), "PYTHON": str(venv / "bin" / "python3"), "LC_ALL": "C.UTF-8"}
    environment |= place.environment if place else {"OCL_ICD_VENDORS": str(scratch / "no-vendors")}
    script = f'set -o pipefail; source "$APPLICATIONS/functions.sh"; source "{application.path}"; {function}'
    begin = time.monotonic()
    command = (place.under if place else []) + ["bash", "-euc", script]
    process = subprocess.Popen(command, cwd=scratch, env=environment, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True)
    try:
        output, _ = process.communicate(timeout=application.limit)
    except subprocess.TimeoutExpired as expired:
        raise Failure(f"{function}: no end after {application.limit} s") from expired
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
    seconds = time.monotonic() - begin
    (scratch / f"{function}.log").write_text(output)
    found_mistakes = place and place.under[-1:] == ["check"] and process.returncode == 1
    if process.returncode and not found_mistakes:
        tail = "\n".join(output.strip().splitlines()[-15:])
        raise Failure(f"{function}: exit status {process.returncode}\n{tail}")
    return output.strip(), seconds


def measure_once(application, scratch, venv, place):
    """Runs and checks an application; returns the check's last line and the run's seconds."""
    _, seconds = step(application, "work", scratch, venv, place)
    output, _ = step(application, "check", scratch, venv)
    return (output.splitlines() or ["right"])[-1], seconds


def version_of(application, venv):
    if application.python_packages:
        program = "import importlib.metadata as m, sys; print(m.version(sys.argv[1]))"
        name = application.variables["shown"] or application.python_packages[0].split("==")[0]
        run = subprocess.run([venv / "bin" / "python3", "-c", program, name], capture_output=True, text=True)
        return run.stdout.strip()
    name = application.variables["shown"] or application.packages[0]
    run = subprocess.run(["dpkg-query", "-W", "-f=${Version}", name], capture_output=True, text=True)
    return run.stdout.strip().split(":")[-1]


def measure(application, venv, drivers, scratch, runs):
    """A line of results.json: first run with empty caches, then some runs of each driver in turn."""
    places = {name: Place(driver, scratch / f"on-{name}") for name, driver in drivers.items()}
    result = {"title": application.variables["title"], "version": version_of(application, venv),
              "remark": application.variables["remark"], "date": datetime.date.today().isoformat()}
    step(application, "prepare", scratch, venv)
    times = {name: [] for name in places}
    failed = {}
    for name, place in places.items():
        place.empty_caches()
        try:
            result[f"{name}_check"], result[f"{name}_first"] = measure_once(application, scratch, venv, place)
        except Failure as failure:
            failed[name] = str(failure)
    for _ in range(runs):
        for name, place in places.items():
            if name in failed:
                continue
            try:
                times[name].append(measure_once(application, scratch, venv, place)[1])
            except Failure as failure:
                failed[name] = str(failure)
    for name in places:
        if name in failed:
            result[f"{name}_failure"] = " ".join(failed[name].split())[:120].replace("|", "/")
            print(f"{application.name} on {name}: {failed[name]}", file=sys.stderr)
        else:
            result[name] = statistics.median(times[name])
    return result


def seconds_text(result, name):
    if f"{name}_failure" in result:
        return "fails"
    if name not in result:
        return "-"
    return f"{result[name]:.2f} s"


def document(results):
    """Writes the table between the two marks of docs/applications.md."""
    columns = [column for title in DRIVERS.values() for column in (title, f"{title}, first run")]
    lines = [f"| application | version | check | {' | '.join(columns)} | remark |", "|---" * (len(columns) + 4) + "|"]
    for name in sorted(results):
        result = results[name]
        times = []
        for who in DRIVERS:
            times.append(seconds_text(result, who))
            times.append(f"{result[f'{who}_first']:.2f} s" if f"{who}_first" in result else "-")
        notes = [result["remark"]]
        notes += [f"{title}: {result[f'{who}_failure']}" for who, title in DRIVERS.items()
                  if f"{who}_failure" in result]
        check = result.get("clarity_check", "failed")
        lines.append(f"| {result['title']} (`{name}`) | {result['version']} | {check} | {' | '.join(times)} | "
                     f"{'; '.join(note for note in notes if note)} |")
    text = DOCUMENT.read_text()
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    DOCUMENT.write_text(before + BEGIN + "\n\n" + "\n".join(lines) + "\n\n" + END + after)


def main():
    # Ends what was started, too: exceptions pass through step().
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("names", nargs="*")
    for flag in ("all", "list", "install", "measure", "once", "document", "keep"):
        parser.add_argument(f"--{flag}", action="store_true")
    parser.add_argument("--driver", default=ROOT / "build" / "release" / "lib" / "libclarity.so")
    parser.add_argument("--under", choices=("profile", "check"))
    parser.add_argument("--intel")
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "build" / "applications")
    options = parser.parse_args()
    known = {path.stem: path for path in sorted((HERE / "apps").glob("*.sh"))}
    unknown = [name for name in options.names if name not in known]
    if unknown:
        parser.error(f"no such application: {' '.join(unknown)}; there are {' '.join(known)}")
    results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    if options.document:
        document(results)
        return 0
    venv = options.folder.resolve() / "venv"
    wanted = [Application(known[name]) for name in (options.names or known)]
    if options.list:
        for application in wanted:
            missing = application.missing(venv)
            print(f"{application.name:12} {application.variables['title']}"
                  f"{' (missing: ' + ' '.join(missing) + ')' if missing else ''}")
        return 0
    if not options.names and not options.all:
        parser.error("name applications, or use --all or --list")
    if not pathlib.Path(options.driver).exists():
        parser.error(f"no driver at '{options.driver}'; build it or name one with --driver")
    status = set()
    for application in wanted:
        status.add(run_one(application, options, venv, results))
    return 1 if 1 in status else MISSING if status == {MISSING} else 0


def run_one(application, options, venv, results):
    """Runs one application as the options say, prints its line, returns 0, 1 or MISSING."""
    missing = application.missing(venv)
    try:
        if missing and options.install:
            install(missing, venv)
        elif missing:
            print(f"{application.name}: skipped, packages are missing: {' '.join(missing)}")
            return MISSING
        options.folder.mkdir(parents=True, exist_ok=True)
        scratch = pathlib.Path(tempfile.mkdtemp(prefix=f"{application.name}-", dir=options.folder.resolve()))
        try:
            if options.measure:
                drivers = {"clarity": options.driver}
                if not options.once:
                    drivers |= {"pocl": POCL} | ({"intel": options.intel} if options.intel else {})
                result = measure(application, venv, drivers, scratch, 1 if options.once else RUNS)
                results[application.name] = result
                RESULTS.write_text(json.dumps(results, indent=2, sort_keys=True) + "\n")
                document(results)
                print(f"{application.name}: {json.dumps(result)}", flush=True)
                return 1 if "clarity_failure" in result else 0
            place = Place(options.driver, scratch / "driver", options.under)
            place.empty_caches()
            step(application, "prepare", scratch, venv)
            check, seconds = measure_once(application, scratch, venv, place)
            print(f"{application.name}: right ({seconds:.2f} s): {check}", flush=True)
            if options.under:
                print((scratch / "work.log").read_text(), flush=True)
            return 0
        finally:
            if not options.keep:
                shutil.rmtree(scratch, ignore_errors=True)
    except Failure as failure:
        print(f"{application.name}: FAILED in {failure}", flush=True)
        return 1


if __name__ == "__main__":
    sys.exit(main())
