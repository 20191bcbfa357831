# SPDX-License-Identifier: Apache-2.0
"""Computes forces with OpenMM's OpenCL platform and with its reference platform: run by openmm.sh."""
import numpy as np
import openmm


def state_of(name):
    system = openmm.System()
    force = openmm.NonbondedForce()
    force.setNonbondedMethod(openmm.NonbondedForce.PME)
    force.setCutoffDistance(0.9)
    positions = []
    numbers = np.random.default_rng(4)
    system.setDefaultPeriodicBoxVectors(openmm.Vec3(3.2, 0, 0), openmm.Vec3(0, 3.2, 0), openmm.Vec3(0, 0, 3.2))
    for i in range(512):
        system.addParticle(20.0)
        force.addParticle(0.4 if i % 2 else -0.4, 0.25, 0.5)
        cell = np.array([i % 8, i // 8 % 8, i // 64]) * 0.4
        positions.append(openmm.Vec3(*(cell + 0.05 * numbers.random(3))))
    system.addForce(force)
    integrator = openmm.VerletIntegrator(0.001)
    context = openmm.Context(system, integrator, openmm.Platform.getPlatformByName(name))
    context.setPositions(positions)
    state = context.getState(getForces=True, getEnergy=True)
    return state.getPotentialEnergy()._value, np.array(state.getForces(asNumpy=True)._value)


def main():
    energy, forces = state_of("OpenCL")
    wanted_energy, wanted_forces = state_of("Reference")
    error = np.linalg.norm(forces - wanted_forces) / np.linalg.norm(wanted_forces)
    # Single precision on a grid of charges, beside double precision.
    if not error < 5e-3 or not abs(energy - wanted_energy) < 1e-3 * abs(wanted_energy):
        raise SystemExit(f"wrong: forces differ by {error}, energies are {energy} and {wanted_energy}")
    print("all right")


if __name__ == "__main__":
    main()
