# SPDX-License-Identifier: Apache-2.0
"""The page docs/ablation.md from the results of ablation.py."""
import json
import math
import random
import textwrap

CONTROL = "none"
RESAMPLES = 1000


def geometric_mean(ratios):
    return math.exp(sum(math.log(ratio) for ratio in ratios) / len(ratios))


def interval(ratios):
    """Between which the geometric mean lies in 95 % of samples of as many cases."""
    source = random.Random(1)
    means = sorted(geometric_mean(source.choices(ratios, k=len(ratios))) for _ in range(RESAMPLES))
    return means[int(0.025 * RESAMPLES)], means[int(0.975 * RESAMPLES)]


class Measured:
    """What leaving out one form's passes did to launches and builds: ratios of times, without by with."""

    def __init__(self, form):
        self.name, self.wrong = form["form"], form["wrong"]
        self.ratios = {case: ratio for case, (_, ratio) in form["cases"].items()}
        self.builds = {file: ratio for file, (_, ratio) in form["builds"].items()}

    @property
    def mean(self):
        return geometric_mean(self.ratios.values()) if self.ratios else 1.0

    @property
    def build(self):
        """Percent that the pass adds to the time of building."""
        return (1 / geometric_mean(self.builds.values()) - 1) * 100 if self.builds else 0.0


class Noise:
    """What the controls say of one machine's measurements."""

    def __init__(self, controls):
        self.means = [each.mean for each in controls]
        self.build = [each.build for each in controls]
        self.worst = {}  # of each case, the farthest that a control lay from 1
        for each in controls:
            for case, ratio in each.ratios.items():
                self.worst[case] = max(self.worst.get(case, 0.0), abs(math.log(ratio)))

    def limit(self, case):
        return max(math.log(1.03), 1.5 * self.worst.get(case, 0.0))

    def helped(self, each):
        return [case for case, ratio in each.ratios.items() if math.log(ratio) > self.limit(case)]

    def hurt(self, each):
        return [case for case, ratio in each.ratios.items() if math.log(ratio) < -self.limit(case)]


def measured_row(each, noise, has_builds):
    low, high = interval(list(each.ratios.values())) if each.ratios else (1, 1)
    times = f"{each.mean:.3f} | {low:.3f} to {high:.3f}" if each.ratios else " | "
    return (f"| `{each.name}` | {len(each.ratios)} | {times} | {len(noise.helped(each))} | "
            f"{len(noise.hurt(each))} |" + (f" {each.build:+.1f} % |" if has_builds else ""))


def case_lines(each, noise):
    ordered = sorted(each.ratios.items(), key=lambda item: -item[1])
    helped, hurt = set(noise.helped(each)), set(noise.hurt(each))
    best = [f"{case} {ratio:.2f}" for case, ratio in ordered if case in helped][:3]
    worst = [f"{case} {ratio:.2f}" for case, ratio in reversed(ordered) if case in hurt][:2]
    parts = (["helps " + ", ".join(best)] if best else []) + (["hurts " + ", ".join(worst)] if worst else [])
    nothing = "nothing beyond noise" if each.ratios else "no kernel's code differs"
    text = f"- `{each.name}`: {'; '.join(parts) or nothing}."
    return textwrap.fill(text, 116, subsequent_indent="  ", break_on_hyphens=False, break_long_words=False)


INTRODUCTION = """# What each optional pass is worth

`bench/ablation.py` generates this page from measurements. `bench/README.md` says how to repeat them.

*Kernels*: the number of cases whose code the pass changes; only these are measured. A pass that changes none serves
programs of other kinds, which its tests show. *Without it*: the geometric mean, over these, of a kernel's time without
the pass divided by its time with all passes; above 1, the pass makes kernels faster. *Interval*: the 95 % bootstrap
interval of that mean. *Helps* and *hurts*: the number of cases that become slower and faster without the pass, by more
than 3 % and by more than 1.5 times the largest deviation of a control in that case. *Build*: the time that the pass
adds to clBuildProgram and to the generation of code for all kernels, including the effect of its results on later
passes.
"""

NAMES = {"cpu": "CPU", "nvidia": "NVIDIA GPU"}


def measured_pages(about, forms):
    passes = [Measured(form) for form in forms]
    controls = [each for each in passes if each.name == CONTROL]
    noise = Noise(controls)
    cases = max((len(each.ratios) + form.get("same", 0) for each, form in zip(passes, forms)), default=0)
    builds = f", {about['builds']} of builds" if about["builds"] else ""
    noisy = f", and {min(noise.build):+.1f} to {max(noise.build):+.1f} % of build time" if about["builds"] else ""
    gpu = next((form["device"] for form in forms if about["kind"] != "cpu" and "device" in form), "")
    made = (f"Measured on {about['date']} with {gpu and gpu + ' and '}{about['processor']}, "
            f"{about['workers']} forms side by side, each on a "
            f"processor of its own: {cases} cases of kernel_bench (`--size {about['size']}`), the median of "
            f"{about['reps']} pairs of launches{builds}. {len(controls)} controls, which leave out nothing, read "
            f"{min(noise.means):.3f} to {max(noise.means):.3f}{noisy}.")
    print(f"## {NAMES[about['kind']]}\n\n{textwrap.fill(made, 118)}\n")
    shown = [each for each in passes if each.name != CONTROL]
    shown.sort(key=lambda each: (each.name in about["upstream"], -each.mean))
    has_builds = about["builds"] > 0
    print("| pass | kernels | without it | interval | helps | hurts |" + (" build |" if has_builds else ""))
    print("|---|---|---|---|---|---|" + ("---|" if has_builds else ""))
    print("\n".join(measured_row(each, noise, has_builds) for each in shown) + "\n")
    names = {each.name for each in shown}
    if missing := [f"`{name}`" for name in about.get("forms", []) if name not in names]:
        print(textwrap.fill(f"Not measured: {', '.join(missing)}.", 118, break_on_hyphens=False) + "\n")
    print("\n".join(case_lines(each, noise) for each in shown) + "\n")
    racing = sorted({case_of(line) for each in controls for line in each.wrong})
    if racing:
        print(textwrap.fill(f"Results differ from launch to launch with all passes, too, as work-items race: "
                            f"{', '.join(racing)}.", 118, break_on_hyphens=False, break_long_words=False) + "\n")
    return [line for each in passes for line in each.wrong if case_of(line) not in racing]


def case_of(line):
    """The kernel that a line of Measured.wrong is about."""
    return line.partition(":")[0]


def code_row(form, control):
    """Of kernels whose code differs: the geometric mean of instructions, without by with, and sums of the rest."""
    both = [(control[case], counts) for case, counts in form["cases"].items() if case in control]
    changed = [(with_all, without) for with_all, without in both if with_all["digest"] != without["digest"]]
    if not changed:
        return f"| `{form['form']}` | 0 of {len(both)} | | | | | | |"
    instructions = geometric_mean([without["all"] / with_all["all"] for with_all, without in changed])
    sums = [f"{sum(pair[1].get(kind, 0) for pair in changed) - sum(pair[0].get(kind, 0) for pair in changed):+d}"
            for kind in ("loads", "stores", "local", "registers", "spills")]
    return f"| `{form['form']}` | {len(changed)} of {len(both)} | {instructions:.3f} | {' | '.join(sums)} |"


def code_pages(about, forms):
    control = next(form for form in forms if form["form"] == CONTROL)["cases"]
    made = (f"Compiled on {about['date']} for {about['processor']}: instructions of the same kernels without the pass, "
            "by those with all passes, where the code differs; and by how many loads, stores, accesses to local "
            "memory, registers of a thread and bytes of spills (`ptxas`) all those kernels together have more "
            "without it.")
    print(f"## Code for {about['processor']}\n\n{textwrap.fill(made, 118)}\n")
    print("| pass | kernels | instructions | loads | stores | local | registers | spills |")
    print("|---|---|---|---|---|---|---|---|")
    shown = [form for form in forms if form["form"] != CONTROL]
    shown.sort(key=lambda form: (form["form"] in about["upstream"], form["form"]))
    print("\n".join(code_row(form, control) for form in shown) + "\n")
    return [f"{form['form']}: {line}" for form in forms for line in form["wrong"]]


def write(paths):
    """Prints the page. Returns 1 if any result was wrong."""
    print(INTRODUCTION)
    wrong = []
    for path in paths:
        with open(path, encoding="utf-8") as file:
            results = json.load(file)
        pages = code_pages if results["about"]["kind"] == "code" else measured_pages
        wrong += pages(results["about"], results["forms"])
    if wrong:
        print("## Other results without a pass\n")
        print("The results with all passes are the reference; work-items of programs may race.\n")
        print("\n".join(textwrap.fill(f"- {line}", 118, subsequent_indent="  ") for line in wrong))
    return 1 if wrong else 0
