"""A Ray cluster of several nodes on this machine, all of it on the loopback address, whose nodes can be killed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

# before Ray is imported: on the loopback address, reporting to nobody, workers as important as other programs
os.environ |= {
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_worker_niceness": "0",
    "RAY_gcs_rpc_server_reconnect_timeout_s": "5",
    "RAY_health_check_period_ms": "500",
}
LOOPBACK = "127.0.0.1"
NODE: dict[str, Any] = {"node_ip_address": LOOPBACK, "object_store_memory": 200_000_000, "num_cpus": 1}


def require_ray() -> Any:
    """Ray, or skip the test."""
    return pytest.importorskip("ray", reason="Ray has no wheel for this Python and system, or is not installed")


@contextmanager
def started(*, nodes: int = 0) -> Iterator[Any]:
    """A cluster of a head and more nodes, with a core each; whoever connects to it is disconnected at the end."""
    ray = require_ray()
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args=NODE | {"include_dashboard": False})
    try:
        for _ in range(nodes):
            cluster.add_node(**NODE)
        yield cluster
    finally:
        ray.shutdown()
        cluster.shutdown()


def backend_of(cluster: Any, **settings: Any) -> str:
    """The back end on a cluster."""
    from pokerlab.specs import spec_text

    return spec_text("ray", {"address": cluster.address} | settings)
