/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Fork, exec and exit of traced processes, from the scheduler's raw tracepoints. The only part that reads kernel memory:
 * its structs are named in part and relocated by BTF (CO-RE), so it is left out of the object for kernels without BTF.
 */
#ifndef TRACER_PROC_BPF_H
#define TRACER_PROC_BPF_H

#ifndef TRACER_SHIM
#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)
#endif

struct signal_struct {
	struct {
		int counter;
	} live; /* threads of the group that have not begun to exit */
};

struct task_struct {
	int pid;
	int tgid;
	int exit_code;
	struct signal_struct *signal;
};

struct linux_binprm {
	const char *filename;
};

#ifndef TRACER_SHIM
#pragma clang attribute pop
#endif

/* args: parent, child. Runs before the child is put on a run queue, so its first instruction is traced already. */
SEC("raw_tp/sched_process_fork") int proc_fork(struct bpf_raw_tracepoint_args *ctx)
{
	struct task_struct *parent = (struct task_struct *)ctx->args[0], *child = (struct task_struct *)ctx->args[1];
	__u64 parent_id = (__u64)BPF_CORE_READ(parent, tgid) << 32 | (__u32)BPF_CORE_READ(parent, pid);
	__u32 child_pid = BPF_CORE_READ(child, tgid);
	struct tr_process *process = traced_process(parent_id);
	struct tr_process fresh = {};
	struct tr_record *record;

	if (!process || !(process->flags & PROCESS_FOLLOW) || BPF_CORE_READ(child, pid) != (int)child_pid ||
	    child_pid == tracer_tgid)
		return 0;
	fresh.start_ns = bpf_ktime_get_ns();
	fresh.flags = process->flags & ~PROCESS_OWN_PROBES;
	if (bpf_map_update_elem(&processes, &child_pid, &fresh, BPF_ANY)) {
		count(COUNTER_lost_processes_full, 1);
		return 0;
	}
	record = reserve_event(RECORD_FORK, parent_id, fresh.start_ns, 0);
	if (record) {
		record->aux = child_pid;
		submit_urgent(record, 0);
	}
	return 0;
}

/* args: task, its former pid, binprm. Other threads are gone, and so is everything at the addresses known so far. */
SEC("raw_tp/sched_process_exec") int proc_exec(struct bpf_raw_tracepoint_args *ctx)
{
	struct linux_binprm *program = (struct linux_binprm *)ctx->args[2];
	__u64 pid_tgid = bpf_get_current_pid_tgid();
	struct tr_process *process = traced_process(pid_tgid);
	struct tr_record *record;
	long result;

	if (!process)
		return 0;
	bpf_map_delete_elem(&threads, &pid_tgid);
	__sync_fetch_and_add(&process->execs, 1);
	record = reserve_event(RECORD_EXEC, pid_tgid, process->start_ns, MAX_FILE_BYTES);
	if (!record)
		return 0;
	result = bpf_probe_read_kernel_str(record + 1, MAX_FILE_BYTES, BPF_CORE_READ(program, filename));
	if (take_name(record, result, MAX_FILE_BYTES))
		submit_urgent(record, MAX_FILE_BYTES);
	return 0;
}

/*
 * args: task. Fires for every thread, after `live` has been counted down; of threads that leave together the one whose
 * delete succeeds reports. Connections of the process stay in the table, for user space to read and delete.
 */
SEC("raw_tp/sched_process_exit") int proc_exit(struct bpf_raw_tracepoint_args *ctx)
{
	struct task_struct *task = (struct task_struct *)ctx->args[0];
	__u64 pid_tgid = bpf_get_current_pid_tgid(), start_ns;
	struct tr_process *process = traced_process(pid_tgid);
	struct tr_record *record;
	__u32 tgid = pid_tgid >> 32;

	bpf_map_delete_elem(&threads, &pid_tgid); /* also of a process that user space gave up meanwhile */
	if (!process)
		return 0;
	start_ns = process->start_ns;
	if (BPF_CORE_READ(task, signal, live.counter) > 0 || bpf_map_delete_elem(&processes, &tgid))
		return 0;
	record = reserve_event(RECORD_EXIT, pid_tgid, start_ns, 0);
	if (record) {
		record->aux = (__u32)BPF_CORE_READ(task, exit_code);
		submit_event(record, 0);
	}
	return 0;
}

#endif
