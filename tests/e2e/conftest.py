"""`--kill-seed N` plays an evening under kills drawn from that seed; without it from a fixed one."""

import pytest

USUAL_SEED = 1


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--kill-seed", type=int, default=None, help="seed of the moments of kill -9")


@pytest.fixture
def kill_seed(request: pytest.FixtureRequest) -> int:
    """The seed from the command line, or the usual one."""
    seed = request.config.getoption("--kill-seed", None)
    return USUAL_SEED if seed is None else int(seed)
