"""What every level of tests shares: the marker `rule` becomes a property of the test's report.

Fixtures of one level belong in `tests/<level>/conftest.py`.
"""

import os

import pytest
from hypothesis import settings

# How long an example takes says how busy the machine is, not whether the code is right.
# A checkout is judged on the same games each time it is checked; at a desk every run plays others.
settings.register_profile("cardroom", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("cardroom")

pytest_plugins = ["tests.plugins.kafka", "tests.plugins.postgres"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Write `rule` = `LC-66a#1` (or `LC-66a`) into the report for each marker of a test."""
    for item in items:
        for mark in reversed(list(item.iter_markers("rule"))):
            rule_id, *case = mark.args
            number = case[0] if case else mark.kwargs.get("case")
            shown = rule_id if number is None else f"{rule_id}#{number}"
            item.user_properties.append(("rule", shown))
