"""`--sim-seed N` runs the simulations with one seed; without it each runs with a few."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--sim-seed", type=int, default=None, help="seed of the simulations")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "seed" in metafunc.fixturenames:
        seed = metafunc.config.getoption("--sim-seed", None)
        metafunc.parametrize("seed", range(1, 13) if seed is None else [seed])
