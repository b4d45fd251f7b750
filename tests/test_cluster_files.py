"""The files in examples/cluster are what `ray up`, Kubernetes and SLURM read."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from pokerlab.version import __version__
from ray_cluster import require_ray

FOLDER = Path(__file__).parents[1] / "examples" / "cluster"


def test_ray_up_reads_its_file() -> None:
    require_ray()
    from ray.autoscaler._private.util import prepare_config, validate_config

    config = prepare_config(yaml.safe_load((FOLDER / "ray-up.yaml").read_text("utf-8")))
    validate_config(config)
    assert [len(config["provider"]["worker_ips"]), config["max_workers"]] == [2, 2]


def test_kubernetes_files_name_one_image() -> None:
    cluster, claim = yaml.safe_load_all((FOLDER / "kubernetes.yaml").read_text("utf-8"))
    groups = [cluster["spec"]["headGroupSpec"], *cluster["spec"]["workerGroupSpecs"]]
    pods = [group["template"]["spec"] for group in groups]
    assert {container["image"] for pod in pods for container in pod["containers"]} == {f"pokerlab:{__version__}"}
    assert pods[0]["volumes"][0]["persistentVolumeClaim"]["claimName"] == claim["metadata"]["name"]
    image = (FOLDER / "Dockerfile").read_text("utf-8")
    assert re.findall(r"ray:([\d.]+)", image) == [cluster["spec"]["rayVersion"]]


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_the_script_of_slurm_is_a_script() -> None:
    script = FOLDER / "slurm.sh"
    subprocess.run(["bash", "-n", str(script)], check=True)
    text = script.read_text("utf-8")
    assert [int(count) for count in re.findall(r"#SBATCH --nodes=(\d+)", text)] == [3]
    assert "symmetric-run" in text


def test_files_name_this_version() -> None:
    for path in FOLDER.iterdir():
        named = re.findall(r"pokerlab[-:](\d+\.\d+\.\d+)", path.read_text("utf-8"))
        assert set(named) <= {__version__}, path
