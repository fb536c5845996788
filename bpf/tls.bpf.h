/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Probes by ROLE: the shape of a call, not the name of a library. A role says which way the bytes go, where buffer,
 * length and count are by default, and how the count is told; the cookie may move the arguments (tables.h). User space
 * decides which function has which role. Return probes first, entry probes second (see README.md).
 */
#ifndef TRACER_TLS_BPF_H
#define TRACER_TLS_BPF_H

/* How a role tells the number of bytes. */
enum tr_shape {
	BY_RETURN,  /* int result > 0 is the count; length is an int */
	BY_POINTER, /* int result > 0 is success; the count is behind a size_t pointer; length is a size_t */
	BY_SPAN,    /* low 32 bits of the result 0 is success; buf points to {pointer, length} written by the callee */
};

struct tr_role {
	__u8 id;
	__u8 dir;
	__u8 shape;
	__u8 buf, len, done; /* default argument positions */
};

static __always_inline __u64 cookie_of(void *ctx)
{
	return have_cookie ? bpf_get_attach_cookie(ctx) : 0;
}

static __always_inline __u64 moved_arg(const struct tr_args *args, __u64 cookie, __u32 shift, __u8 by_default)
{
	__u64 position = (cookie >> shift) & COOKIE_POSITION_MASK;

	return arg_at(args, position ? position : by_default);
}

/* The process, when it is traced and this probe is to speak for it; cookie: filled in. See COOKIE_YIELDS. */
static __always_inline struct tr_process *probed_process(void *ctx, __u64 pid_tgid, __u64 *cookie)
{
	struct tr_process *process = traced_process(pid_tgid);

	if (!process)
		return 0;
	*cookie = cookie_of(ctx);
	return *cookie >> COOKIE_YIELDS_SHIFT & 1 && process->flags & PROCESS_OWN_PROBES ? 0 : process;
}

/* Cheap proof that the object is of the TLS library that the hook was made for. See COOKIE_CHECK_METHOD. */
static __always_inline int is_expected_method(__u64 cookie, __u64 ssl)
{
	__u64 method = 0;

	if (!(cookie >> COOKIE_CHECK_METHOD_SHIFT & 1))
		return 1;
	if (!bpf_probe_read_user(&method, sizeof(method), (const void *)ssl) &&
	    (method & 0xfff) == cookie >> COOKIE_METHOD_SHIFT)
		return 1;
	count(COUNTER_other_method_calls, 1);
	return 0;
}

static __always_inline int call_enter(struct tr_regs *regs, const struct tr_role role)
{
	__u64 pid_tgid = bpf_get_current_pid_tgid();
	struct tr_frame frame = {};
	struct tr_args args;
	__u64 cookie;

	if (!probed_process(regs, pid_tgid, &cookie) || !REGS_ARG0(regs))
		return 0;
	read_args(&args, regs);
	frame.sp = REGS_SP_ENTRY(regs);
	frame.ssl = args.at[0];
	frame.buf = moved_arg(&args, cookie, COOKIE_BUF_SHIFT, role.buf);
	frame.len = moved_arg(&args, cookie, COOKIE_LEN_SHIFT, role.len);
	frame.done = moved_arg(&args, cookie, COOKIE_DONE_SHIFT, role.done);
	frame.hook = cookie;
	frame.role = role.id;
	frame.dir = role.dir;
	count(role.dir == DIR_OUT ? COUNTER_calls_out : COUNTER_calls_in, 1);
	push_frame(pid_tgid, &frame);
	return 0;
}

/* Counts read from the target; -1: could not be read, -2: more than was asked for. 0 also stands for "nothing moved". */
#define COUNT_FAULT (-1L)
#define COUNT_ODD (-2L)

static __always_inline long count_by_return(__s32 result, const struct tr_frame *frame)
{
	if (result <= 0)
		return 0;
	return result > (__s32)frame->len ? COUNT_ODD : result;
}

static __always_inline long count_by_pointer(__s32 result, const struct tr_frame *frame)
{
	__u64 done = 0;

	if (result <= 0)
		return 0;
	if (bpf_probe_read_user(&done, sizeof(done), (const void *)frame->done))
		return COUNT_FAULT;
	return done > frame->len || (long)done < 0 ? COUNT_ODD : (long)done;
}

/* The buffer is known only now: the frame's buf changes from the pair's address to the data's. */
static __always_inline long count_by_span(__s32 result, struct tr_frame *frame)
{
	__u64 span[2] = {};

	if (result != 0)
		return 0;
	if (bpf_probe_read_user(span, sizeof(span), (const void *)frame->buf))
		return COUNT_FAULT;
	frame->buf = span[0];
	return span[1] > MAX_CHUNK_BYTES ? COUNT_ODD : (long)span[1];
}

static __always_inline long bytes_moved(const struct tr_regs *regs, const struct tr_role role, struct tr_frame *frame)
{
	__s32 result = REGS_RESULT(regs);

	if (role.shape == BY_RETURN)
		return count_by_return(result, frame);
	if (role.shape == BY_POINTER)
		return count_by_pointer(result, frame);
	return count_by_span(result, frame);
}

/* A return without its entry: it began before capture did (or state was lost, which has been counted at entry). */
static __always_inline void count_late(const struct tr_regs *regs, const struct tr_role role)
{
	__s32 result = REGS_RESULT(regs);

	count(COUNTER_late_calls, 1);
	if (role.shape == BY_RETURN && result > 0)
		count(COUNTER_late_bytes, result);
}

static __always_inline void fill_job(struct tr_job *job, __u64 pid_tgid, const struct tr_conn *conn,
				     const struct tr_frame *frame, __u64 bytes)
{
	job->ts_ns = bpf_ktime_get_ns();
	job->start_ns = conn->start_ns;
	job->ssl = frame->ssl;
	job->call_bytes = bytes;
	job->buf = frame->buf;
	job->done_bytes = 0;
	job->limit_bytes = bytes > MAX_CALL_BYTES ? MAX_CALL_BYTES : bytes;
	job->pid = pid_tgid >> 32;
	job->tid = pid_tgid;
	job->generation = conn->generation;
	job->hook = frame->hook;
	job->dir = frame->dir;
}

/* TLS cuts what it is given into records of at most MAX_CHUNK_BYTES of plaintext (RFC 8446 5.1). */
static __always_inline __u64 records_of(__u64 bytes)
{
	return (bytes + MAX_CHUNK_BYTES - 1) / MAX_CHUNK_BYTES;
}

/* Remembers what the thread's next send should be as long as. Before the bytes are added to the connection's. */
static __always_inline void note_send(__u64 pid_tgid, __u64 ssl, const struct tr_conn *conn, __u64 bytes)
{
	struct tr_sends fresh = {.ssl = ssl, .bytes = bytes, .records = records_of(bytes), .generation = conn->generation};
	struct tr_sends *before = bpf_map_lookup_elem(&sends_after, &pid_tgid);

	fresh.is_first = conn->out_bytes == 0;
	if (before && before->ssl == ssl && before->generation == conn->generation) {
		before->bytes += bytes;
		before->records += fresh.records;
	} else {
		bpf_map_update_elem(&sends_after, &pid_tgid, &fresh, BPF_ANY);
	}
}

/* One direction of one connection is serialised by the application (the libraries ask for that), so offset is ours. */
static __always_inline void transfer(__u64 pid_tgid, const struct tr_process *process, struct tr_thread *thread,
				     const struct tr_frame *frame, const __u8 dir, __u64 bytes, __u64 cookie)
{
	struct tr_conn *conn = connection_of(pid_tgid, frame->ssl, process);
	__u64 *end;

	count(dir == DIR_OUT ? COUNTER_bytes_out : COUNTER_bytes_in, bytes);
	if (!conn) {
		count_loss(COUNTER_lost_table_full_bytes, COUNTER_lost_table_full_calls, bytes);
		return;
	}
	if (want_peer && dir == DIR_OUT && !(conn->flags & (CONN_HAS_PEER | CONN_OWNS_SOCKET)))
		note_send(pid_tgid, frame->ssl, conn, bytes);
	if (dir == DIR_IN && conn->facts_tries < MAX_FACTS_TRIES && cookie >> COOKIE_FACTS_SHIFT & COOKIE_FACTS_MASK)
		tell_facts(pid_tgid, frame->ssl, cookie);
	end = dir == DIR_OUT ? &conn->out_bytes : &conn->in_bytes;
	thread->job.offset = *(volatile __u64 *)end;
	__sync_fetch_and_add(end, bytes);
	if (is_skipped(pid_tgid, frame->ssl, conn->generation)) {
		count(COUNTER_skipped_bytes, bytes);
		return;
	}
	fill_job(&thread->job, pid_tgid, conn, frame, bytes);
	emit_job(pid_tgid, bytes);
}

static __always_inline void finish_call(struct tr_regs *regs, const struct tr_role role, __u64 pid_tgid,
					const struct tr_process *process, struct tr_thread *thread, __u64 cookie,
					struct tr_frame *frame)
{
	long bytes = bytes_moved(regs, role, frame);

	if (frame->nested) {
		struct tr_frame *outer = bytes > 0 ? outer_frame(thread, frame) : 0;

		if (outer)
			outer->inner_moved = 1;
		return;
	}
	if (bytes == 0 || !is_expected_method(cookie, frame->ssl))
		return;
	if (bytes > 0)
		transfer(pid_tgid, process, thread, frame, role.dir, bytes, cookie);
	else
		give_up(pid_tgid, frame,
			bytes == COUNT_FAULT ? COUNTER_lost_count_fault_calls : COUNTER_lost_odd_count_calls);
}

/* The frame is gone before anything is decided; the thread's entry goes with its last frame. */
static __always_inline int call_exit(struct tr_regs *regs, const struct tr_role role)
{
	__u64 pid_tgid = bpf_get_current_pid_tgid();
	__u64 cookie;
	struct tr_process *process = probed_process(regs, pid_tgid, &cookie);
	struct tr_frame frame = {};
	struct tr_thread *thread;

	if (!process)
		return 0;
	frame.sp = REGS_SP_RETURN(regs);
	frame.hook = cookie;
	frame.role = role.id;
	thread = bpf_map_lookup_elem(&threads, &pid_tgid);
	if (thread && pop_frame(pid_tgid, thread, &frame))
		finish_call(regs, role, pid_tgid, process, thread, cookie, &frame);
	else
		count_late(regs, role);
	if (thread && !thread->depth)
		bpf_map_delete_elem(&threads, &pid_tgid);
	return 0;
}

#define TLS_ROLE(name, number, direction, by, buf_position, len_position, done_position)                                \
	static const struct tr_role name##_role = {number, direction, by, buf_position, len_position, done_position};   \
	SEC("uprobe") int name##_enter(struct tr_regs *regs) { return call_enter(regs, name##_role); }                  \
	SEC("uretprobe") int name##_exit(struct tr_regs *regs) { return call_exit(regs, name##_role); }

/* One row = two programs, <name>_enter and <name>_exit. Numbers are never reused. Position 0 = the role has none. */
/*        name           no dir      count told   buf len done */
TLS_ROLE(tls_read,       1, DIR_IN,  BY_RETURN,   1,  2,  0)
TLS_ROLE(tls_write,      2, DIR_OUT, BY_RETURN,   1,  2,  0)
TLS_ROLE(tls_read_ex,    3, DIR_IN,  BY_POINTER,  1,  2,  3)
TLS_ROLE(tls_write_ex,   4, DIR_OUT, BY_POINTER,  1,  2,  3)
TLS_ROLE(tls_open,       5, DIR_IN,  BY_SPAN,     1,  0,  0) /* BoringSSL's open_app_data(ssl, Span *out, …) */
TLS_ROLE(tls_seal,       6, DIR_OUT, BY_POINTER,  3,  4,  2) /* write_app_data(ssl, bool *, size_t *done, buf, len) */
TLS_ROLE(tls_seal_old,   7, DIR_OUT, BY_RETURN,   2,  3,  0) /* write_app_data(ssl, bool *, buf, int len) */
TLS_ROLE(tls_write_ex2,  8, DIR_OUT, BY_POINTER,  1,  2,  4) /* SSL_write_ex2(ssl, buf, num, flags, size_t *done) */

/* (ssl): the object is freed. */
SEC("uprobe") int tls_free_enter(struct tr_regs *regs)
{
	__u64 pid_tgid = bpf_get_current_pid_tgid(), cookie;

	if (probed_process(regs, pid_tgid, &cookie) && REGS_ARG0(regs) && is_expected_method(cookie, REGS_ARG0(regs)))
		close_connection(pid_tgid, REGS_ARG0(regs), 0);
	return 0;
}

static __always_inline void emit_host(struct tr_regs *regs, __u64 name)
{
	__u64 pid_tgid = bpf_get_current_pid_tgid(), cookie;
	struct tr_process *process = probed_process(regs, pid_tgid, &cookie);
	struct tr_conn *conn;
	struct tr_record *record;

	if (!process || !name || !REGS_ARG0(regs))
		return;
	conn = connection_of(pid_tgid, REGS_ARG0(regs), process);
	if (!conn)
		return;
	record = reserve_event(RECORD_SNI, pid_tgid, process->start_ns, MAX_HOST_BYTES);
	if (!record)
		return;
	record->ssl = REGS_ARG0(regs);
	record->generation = conn->generation;
	record->hook = cookie;
	if (take_name(record, bpf_probe_read_user_str(record + 1, MAX_HOST_BYTES, (const void *)name), MAX_HOST_BYTES))
		submit_event(record, MAX_HOST_BYTES);
}

/* (ssl, const char *host) */
SEC("uprobe") int tls_sni_enter(struct tr_regs *regs)
{
	emit_host(regs, REGS_ARG1(regs));
	return 0;
}

/* SSL_ctrl(ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME = 55, TLSEXT_NAMETYPE_host_name = 0, char *host), OpenSSL's tls1.h */
SEC("uprobe") int tls_ctrl_enter(struct tr_regs *regs)
{
	if ((__u32)REGS_ARG1(regs) == 55 && REGS_ARG2(regs) == 0)
		emit_host(regs, REGS_ARG3(regs));
	return 0;
}

#endif
