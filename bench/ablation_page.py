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


def measured_row(each, noise):
    low, high = interval(list(each.ratios.values())) if each.ratios else (1, 1)
    return (f"| `{each.name}` | {each.mean:.3f} | {low:.3f} to {high:.3f} | {len(noise.helped(each))} | "
            f"{len(noise.hurt(each))} | {each.build:+.1f} % |")


def case_lines(each, noise):
    ordered = sorted(each.ratios.items(), key=lambda item: -item[1])
    helped, hurt = set(noise.helped(each)), set(noise.hurt(each))
    best = [f"{case} {ratio:.2f}" for case, ratio in ordered if case in helped][:3]
    worst = [f"{case} {ratio:.2f}" for case, ratio in reversed(ordered) if case in hurt][:2]
    parts = (["helps " + ", ".join(best)] if best else []) + (["hurts " + ", ".join(worst)] if worst else [])
    text = f"- `{each.name}`: {'; '.join(parts) or 'nothing beyond noise'}."
    return textwrap.fill(text, 116, subsequent_indent="  ", break_on_hyphens=False, break_long_words=False)


def write(paths):
    return 0
