"""A cluster of machines as whoever plays the fights of a forecast: Dask's, by the extra `cluster`."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from importlib.util import find_spec

from rules.contract.errors import BattlematError

PATIENCE = 10
"""Seconds after which nobody is at an address."""


@contextmanager
def cluster(address: str) -> Iterator[Executor]:
    """The workers of a scheduler at an address (`tcp://host:8786`), left as they were afterwards.

    They need Battlemat installed, in the same version. Raises BattlematError in one line.
    """
    if find_spec("distributed") is None:
        raise BattlematError("cluster: needs Dask's distributed; install battlemat[cluster]")
    from distributed import Client

    try:
        client = Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError, TypeError, KeyError) as error:
        wrong = "cluster: no scheduler answers at {address}; give one such as tcp://host:8786"
        raise BattlematError(wrong, repr(address)) from error
    with client:
        if not client.scheduler_info().get("workers"):
            raise BattlematError("cluster: the scheduler at {address} has no workers", repr(address))
        yield client.get_executor(pure=False)
