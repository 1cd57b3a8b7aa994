"""What each test file costs: processor seconds of its tests and of the processes they waited for, and memory.

python -m pytest -p measuring --costs     # beside what the run says, a line for each file, the most expensive first
"""

import resource
import time
from collections import defaultdict

import pytest

SPENT, MEMORY = "processor seconds", "megabytes"


def pytest_addoption(parser):
    parser.addoption("--costs", action="store_true", help="tell what each test file costs")


def spent() -> float:
    """Processor seconds of this process, and of those that it waited for."""
    others = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + others.ru_utime + others.ru_stime


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item):
    item.stash[STARTED] = spent()
    return (yield)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item):
    try:
        return (yield)
    finally:
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        item.user_properties += [(SPENT, spent() - item.stash[STARTED]), (MEMORY, most)]


STARTED = pytest.StashKey[float]()


def pytest_terminal_summary(terminalreporter, config):
    if not config.getoption("--costs"):
        return
    files: dict[str, list[float]] = defaultdict(lambda: [0, 0.0, 0.0])
    for report in (each for some in terminalreporter.stats.values() for each in some):
        said = dict(getattr(report, "user_properties", ()))
        if getattr(report, "when", "") == "teardown" and SPENT in said:
            costs = files[report.nodeid.split("::")[0]]
            costs[:] = costs[0] + 1, costs[1] + said[SPENT], max(costs[2], said[MEMORY])
    terminalreporter.section("costs")
    for name, (count, seconds, memory) in sorted(files.items(), key=lambda one: -one[1][1]):
        terminalreporter.write_line(f"| {name} | {count} | {seconds:.1f} | {memory:,.0f} |")
    total = sum(seconds for _, seconds, _ in files.values())
    terminalreporter.write_line(f"| all | {sum(count for count, _, _ in files.values())} | {total:.1f} | |")
