/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The connection table: which use of a TLS object's address this is, and how far each direction has come.
 * Invariant: the offsets of one generation only grow, and by exactly what the library reported. Whenever bytes may have
 * passed in unknown number, the generation is ended (FLAG_BROKEN): nothing can be spliced over a hole of unknown size.
 */
#ifndef TRACER_CONN_BPF_H
#define TRACER_CONN_BPF_H

static __always_inline struct tr_process *traced_process(__u64 pid_tgid)
{
	__u32 tgid = pid_tgid >> 32;

	return tgid == tracer_tgid ? 0 : bpf_map_lookup_elem(&processes, &tgid);
}

static __always_inline struct tr_conn_key conn_key(__u64 pid_tgid, __u64 ssl)
{
	struct tr_conn_key key = {.ssl = ssl, .pid = pid_tgid >> 32};

	return key;
}

/*
 * Ends the generation: CLOSE, and the entry goes. Without room for CLOSE the entry stays, marked, for user space to read
 * the final offsets from; the next use of the address tries again.
 */
__noinline int close_connection(__u64 pid_tgid, __u64 ssl, __u64 flags)
{
	struct tr_conn_key key = conn_key(pid_tgid, ssl);
	struct tr_conn *conn = bpf_map_lookup_elem(&connections, &key);
	struct tr_record *record;

	if (!conn)
		return 0;
	if (!(conn->flags & CONN_CLOSED))
		count(COUNTER_connections_closed, 1);
	record = reserve_event(RECORD_CLOSE, pid_tgid, conn->start_ns, 0);
	if (!record) {
		conn->flags |= CONN_CLOSED;
		return 0;
	}
	record->ssl = ssl;
	record->generation = conn->generation;
	record->offset = conn->out_bytes;
	record->aux = conn->in_bytes;
	record->flags = flags;
	submit_event(record, 0);
	bpf_map_delete_elem(&skipped, &key);
	bpf_map_delete_elem(&connections, &key);
	return 1;
}

/* Of two threads that meet a new connection at once, one inserts; both then look up that one entry. */
static __always_inline struct tr_conn *open_connection(const struct tr_conn_key *key, const struct tr_process *process)
{
	struct tr_conn fresh = {.start_ns = process->start_ns, .execs = process->execs};

	__sync_fetch_and_add(&last_generation, 1);
	fresh.generation = *(volatile __u32 *)&last_generation;
	if (!bpf_map_update_elem(&connections, key, &fresh, BPF_NOEXIST))
		count(COUNTER_connections_opened, 1);
	return bpf_map_lookup_elem(&connections, key);
}

/* The connection that this address means now; an entry from before free, exec or a reused pid is ended first. */
static __always_inline struct tr_conn *connection_of(__u64 pid_tgid, __u64 ssl, const struct tr_process *process)
{
	struct tr_conn_key key = conn_key(pid_tgid, ssl);
	struct tr_conn *conn = bpf_map_lookup_elem(&connections, &key);

	if (conn) {
		if (conn->start_ns == process->start_ns && conn->execs == process->execs && !(conn->flags & CONN_CLOSED))
			return conn;
		close_connection(pid_tgid, ssl, 0);
		bpf_map_delete_elem(&connections, &key);
	}
	return open_connection(&key, process);
}

static __always_inline int is_skipped(__u64 pid_tgid, __u64 ssl, __u32 generation)
{
	struct tr_conn_key key = conn_key(pid_tgid, ssl);
	struct tr_skip *skip = bpf_map_lookup_elem(&skipped, &key);

	return skip && skip->generation == generation;
}

#endif
