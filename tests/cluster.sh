#!/bin/sh
# The examples of spreading a sweep: cluster.sh parallel|slurm WAVESIM
#
# slurm starts Slurm's own daemons (munged, slurmctld, slurmd of Debian) on this host, with all of
# their files in a scratch folder, submits an array of two jobs and ends them. That takes root.
# Either way the parts joined must be equal to one run. Exit status 77: something that it needs is not there.
set -eu
mode=$1
wavesim=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
root=$(cd "$(dirname "$0")/.." && pwd)
scratch=$(mktemp -d)
pids=""
end() {
	[ -z "$pids" ] || kill $pids 2>/dev/null || true
	wait
	rm -rf "$scratch"
}
trap end EXIT INT TERM
mkdir "$scratch/bin"
ln -s "$wavesim" "$scratch/bin/wavesim"
PATH=$scratch/bin:$PATH
export PATH
cd "$scratch"
cat >k.cl <<'END'
// wavesim: --global 256 --local 64
kernel void k(global float *out, global const float *in)
{
	uint g = get_global_id(0);
	for (uint i = 0; i < N; i++)
		out[g] += in[(g * N + i) & 255];
}
END
arguments='k.cl -D N=2,3 --local 32:128 --banks 16,32'

need() {
	for program in "$@"; do
		PATH=$PATH:/usr/sbin command -v "$program" >/dev/null || { echo "$program is not installed"; exit 77; }
	done
}

with_parallel() {
	need parallel
	PARTS=2 sh "$root/examples/sweep-parallel.sh" $arguments >/dev/null
}

wait_for() { # seconds, command
	n=$(($1 * 10))
	shift
	while ! "$@" >/dev/null 2>&1; do
		n=$((n - 1))
		[ $n -gt 0 ] || { echo "$* did not happen"; tail -5 ./*.log; exit 1; }
		sleep 0.1
	done
}
done_jobs() { [ -z "$(squeue -h)" ]; }
node_up() { sinfo -h -o %t | grep -q idle; }

with_slurm() {
	[ "$(id -u)" = 0 ] || { echo "only root can start Slurm's daemons"; exit 77; }
	need munged slurmctld slurmd sbatch
	PATH=$PATH:/usr/sbin
	chmod 755 .
	mkdir state spool
	head -c 1024 /dev/urandom >munge.key
	chmod 600 munge.key
	munged --foreground --force --key-file="$scratch/munge.key" --socket="$scratch/munge.socket" --num-threads=1 \
		--pid-file="$scratch/munge.pid" --log-file="$scratch/munge.log" --seed-file="$scratch/munge.seed" >munged.log 2>&1 &
	pids="$pids $!"
	port=$((20000 + $$ % 20000))
	cat >slurm.conf <<END
ClusterName=one
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$scratch/munge.socket
SlurmctldPort=$port
SlurmdPort=$((port + 1))
StateSaveLocation=$scratch/state
SlurmdSpoolDir=$scratch/spool
SlurmctldPidFile=$scratch/slurmctld.pid
SlurmdPidFile=$scratch/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
ReturnToService=2
SchedulerType=sched/builtin
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
NodeName=$(hostname -s) NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=$(hostname -s) Default=YES MaxTime=10 State=UP
END
	SLURM_CONF=$scratch/slurm.conf
	export SLURM_CONF
	wait_for 20 test -S munge.socket
	slurmctld -D -f slurm.conf >slurmctld.log 2>&1 &
	pids="$pids $!"
	slurmd -D -f slurm.conf -N "$(hostname -s)" >slurmd.log 2>&1 &
	pids="$pids $!"
	wait_for 60 node_up
	job=$(sbatch --parsable --array=1-2 "$root/examples/sweep.sbatch" $arguments)
	sbatch --parsable --dependency="afterok:$job" --wrap 'wavesim merge part-*.db --store all.db >/dev/null' >/dev/null
	wait_for 300 done_jobs
	cat slurm-*.out
}

case $mode in
parallel) with_parallel ;;
slurm) with_slurm ;;
*) echo "cluster.sh: what is '$mode'?" >&2; exit 2 ;;
esac
wavesim sweep $arguments --quiet --store one.db
wavesim merge one.db --store again.db --quiet
ls part-1.db part-2.db >/dev/null
cmp all.db again.db
echo "equal to one run"
