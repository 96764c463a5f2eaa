#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A sweep as an array of Slurm jobs. Each computes its part into one folder on a file system that all nodes share; a last
# job computes what is missing, if jobs were lost, and writes the results.
#
#   examples/slurm/sweep.sh 8 "$SCRATCH/depth" table2/place --set nodes=8 --vary ecb.frame_fifo_frames=64:65536:log2
#
# Usage: sweep.sh PARTS FOLDER SCENARIO-OR-FILE [OPTIONS OF hypermon sweep]
#SBATCH --job-name=hypermon
#SBATCH --cpus-per-task=4
#SBATCH --mem-per-cpu=2G
#SBATCH --time=04:00:00
#SBATCH --requeue
#SBATCH --output=%x-%A-%a.log
set -euo pipefail
parts=$1 folder=$2
shift 2
sweep=(hypermon sweep "$@" --out "$folder" --yes --jobs "${SLURM_CPUS_PER_TASK:-1}")

if [[ -z ${SLURM_JOB_ID-} ]]; then # on the login node: say once that it can be, then submit this file
  hypermon sweep "$@" --out "$folder" --plan
  array=$(sbatch --parsable --array="1-$parts" "$0" "$parts" "$folder" "$@")
  sbatch --dependency="afterany:${array%%;*}" "$0" "$parts" "$folder" "$@"
elif [[ -n ${SLURM_ARRAY_TASK_ID-} ]]; then
  exec srun "${sweep[@]}" --part "$SLURM_ARRAY_TASK_ID/$parts"
else
  exec srun "${sweep[@]}"
fi
