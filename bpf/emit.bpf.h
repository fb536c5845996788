/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The only code that writes to the ring or counts a loss. A record reserves the smallest size class that holds it
 * (bpf_ringbuf_reserve wants a constant), user memory is copied straight into the ring, and nothing wakes the consumer
 * but new programs and a ring that fills up (wake-ups cost more than the copying).
 */
#ifndef TRACER_EMIT_BPF_H
#define TRACER_EMIT_BPF_H

/*
 * Makes the compiler forget what it knows of a length, so that the bound checked next is checked on the register that
 * the helper gets: otherwise clang shifts a checked copy (32 to 64 bit) and the verifier calls the result unbounded.
 */
#define FORGET(value) asm volatile("" : "+r"(value))

/* Atomic: another task may run the same program on this CPU in between. */
static __always_inline void count(enum tr_counter id, __u64 n)
{
	__u32 zero = 0;
	struct tr_counters *counters_here = bpf_map_lookup_elem(&counters, &zero);

	if (counters_here)
		__sync_fetch_and_add(&counters_here->slot[id & (COUNTER_SLOTS - 1)], n);
}

static __always_inline void count_loss(enum tr_counter bytes_id, enum tr_counter events_id, __u64 bytes)
{
	count(bytes_id, bytes);
	count(events_id, 1);
}

static __always_inline void note_peak(__u64 fill_bytes)
{
	__u32 zero = 0;
	struct tr_counters *counters_here = bpf_map_lookup_elem(&counters, &zero);

	if (counters_here && counters_here->slot[COUNTER_ring_peak_bytes] < fill_bytes)
		counters_here->slot[COUNTER_ring_peak_bytes] = fill_bytes;
}

/* Flags for a submit: wake the consumer when this entry carried the fill over a multiple of 2^wake_shift bytes. */
static __always_inline __u64 wake_flags(__u64 entry_bytes)
{
	__u64 fill_bytes = bpf_ringbuf_query(&ring, BPF_RB_AVAIL_DATA);

	note_peak(fill_bytes);
	if ((fill_bytes >> wake_shift) == ((fill_bytes - entry_bytes) >> wake_shift) || fill_bytes < entry_bytes)
		return BPF_RB_NO_WAKEUP;
	count(COUNTER_wakeups, 1);
	return BPF_RB_FORCE_WAKEUP;
}

/* entry_bytes: header of the ring (8) + reserved size. */
static __always_inline void submit(struct tr_record *record, __u64 reserved_bytes)
{
	__u64 entry_bytes = reserved_bytes + BPF_RINGBUF_HDR_SZ;

	count(COUNTER_records, 1);
	count(COUNTER_ring_bytes, entry_bytes);
	bpf_ringbuf_submit(record, wake_flags(entry_bytes));
}

static __always_inline void fill_data_header(struct tr_record *record, const struct tr_job *job, __u64 len)
{
	__u64 end = job->done_bytes + len;

	record->ts_ns = job->ts_ns;
	record->start_ns = job->start_ns;
	record->ssl = job->ssl;
	record->offset = job->offset + job->done_bytes;
	record->aux = job->call_bytes;
	record->pid = job->pid;
	record->tid = job->tid;
	record->generation = job->generation;
	record->len_bytes = len;
	record->hook = job->hook;
	record->kind = RECORD_DATA;
	record->dir = job->dir;
	record->flags = 0;
	if (end >= job->limit_bytes)
		record->flags = job->limit_bytes < job->call_bytes ? FLAG_CALL_END | FLAG_CUT : FLAG_CALL_END;
}

/* One chunk of len <= class_bytes bytes; class_bytes is a compile-time constant. */
static __always_inline void emit_in_class(const struct tr_job *job, __u64 len, const __u64 class_bytes)
{
	struct tr_record *record = bpf_ringbuf_reserve(&ring, sizeof(*record) + class_bytes, 0);

	if (!record) {
		count_loss(COUNTER_lost_ring_full_bytes, COUNTER_lost_ring_full_chunks, len);
		return;
	}
	fill_data_header(record, job, len);
	FORGET(len);
	if (len > class_bytes || bpf_probe_read_user(record + 1, len, (const void *)(job->buf + job->done_bytes))) {
		bpf_ringbuf_discard(record, BPF_RB_NO_WAKEUP);
		count_loss(COUNTER_lost_fault_bytes, COUNTER_lost_fault_chunks, len);
		return;
	}
	submit(record, sizeof(*record) + class_bytes);
	count(COUNTER_copied_bytes, len);
}

/*
 * Next chunk of the thread's job; 0 when it is done. A global function with scalar arguments: the verifier looks at it
 * once, not at each of the 512 turns of the loop (kernels before 5.12 take no pointers here, hence the second look-up).
 */
__noinline int emit_chunk(__u64 pid_tgid)
{
	struct tr_thread *thread = bpf_map_lookup_elem(&threads, &pid_tgid);
	struct tr_job *job;
	__u64 len;

	if (!thread || thread->job.done_bytes >= thread->job.limit_bytes)
		return 0;
	job = &thread->job;
	len = job->limit_bytes - job->done_bytes;
	if (len > MAX_CHUNK_BYTES)
		len = MAX_CHUNK_BYTES;
	if (len <= 128)
		emit_in_class(job, len, 128);
	else if (len <= 256)
		emit_in_class(job, len, 256);
	else if (len <= 512)
		emit_in_class(job, len, 512);
	else if (len <= 1024)
		emit_in_class(job, len, 1024);
	else if (len <= 2048)
		emit_in_class(job, len, 2048);
	else if (len <= 4096)
		emit_in_class(job, len, 4096);
	else if (len <= 8192)
		emit_in_class(job, len, 8192);
	else
		emit_in_class(job, len, 16384);
	job->done_bytes += len;
	return job->done_bytes < job->limit_bytes;
}

/* All chunks of a job that is filled in, in order. A chunk that does not fit is lost alone: later ones are still tried. */
static __always_inline void emit_job(__u64 pid_tgid, __u64 call_bytes)
{
	if (call_bytes > MAX_CALL_BYTES)
		count_loss(COUNTER_lost_too_long_bytes, COUNTER_lost_too_long_calls, call_bytes - MAX_CALL_BYTES);
	for (__u32 i = 0; i < MAX_CALL_BYTES / MAX_CHUNK_BYTES; i++)
		if (!emit_chunk(pid_tgid))
			break;
}

/* Reserves a record that is not data, with room for room_bytes of payload, and fills in who and when. */
static __always_inline struct tr_record *reserve_event(__u16 kind, __u64 pid_tgid, __u64 start_ns, const __u64 room_bytes)
{
	struct tr_record *record = bpf_ringbuf_reserve(&ring, sizeof(*record) + room_bytes, 0);

	if (!record) {
		count(COUNTER_lost_ring_full_events, 1);
		return 0;
	}
	__builtin_memset(record, 0, sizeof(*record));
	record->ts_ns = bpf_ktime_get_ns();
	record->start_ns = start_ns;
	record->pid = pid_tgid >> 32;
	record->tid = pid_tgid;
	record->kind = kind;
	return record;
}

static __always_inline void submit_event(struct tr_record *record, const __u64 room_bytes)
{
	submit(record, sizeof(*record) + room_bytes);
}

/* Of a process that has to be hooked before its first TLS call: the consumer is woken. Rare beside data records. */
static __always_inline void submit_urgent(struct tr_record *record, const __u64 room_bytes)
{
	count(COUNTER_records, 1);
	count(COUNTER_ring_bytes, sizeof(*record) + room_bytes + BPF_RINGBUF_HDR_SZ);
	count(COUNTER_wakeups, 1);
	bpf_ringbuf_submit(record, BPF_RB_FORCE_WAKEUP);
}

/* Takes the result of a bpf_probe_read_*_str into the record's payload; false when it had failed (record is gone then). */
static __always_inline int take_name(struct tr_record *record, long result, const __u64 room_bytes)
{
	if (result <= 0) {
		bpf_ringbuf_discard(record, BPF_RB_NO_WAKEUP);
		count(COUNTER_name_fault_events, 1);
		return 0;
	}
	record->len_bytes = result - 1;
	if ((__u64)result == room_bytes)
		record->flags |= FLAG_CUT;
	return 1;
}

#endif
