#!/bin/bash
# A report on three machines of a SLURM cluster:   sbatch slurm.sh
# `ray symmetric-run` starts Ray on every machine of the job, the command on the first one, and ends both.
# Submitted again, the same script resumes the report from its file.
#SBATCH --job-name=pokerlab
#SBATCH --nodes=3
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=16
#SBATCH --exclusive
#SBATCH --time=04:00:00
#SBATCH --requeue

set -euo pipefail
source "$HOME/pokerlab-venv/bin/activate"  # on a folder that all machines see
export RAY_USAGE_STATS_ENABLED=0

first=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)

srun --nodes="$SLURM_JOB_NUM_NODES" --ntasks="$SLURM_JOB_NUM_NODES" \
    ray symmetric-run --address "$first:6379" --min-nodes "$SLURM_JOB_NUM_NODES" --num-cpus "$SLURM_CPUS_PER_TASK" -- \
    pokerlab report "$HOME/flop.toml" --boards flops --target 0.5% --cluster auto --out "$HOME/flops.csv"
