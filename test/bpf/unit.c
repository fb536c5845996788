/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Unit tests of the kernel side as a plain program (bpf/shim.h). Each test prints "ok NAME" or "FAILED NAME: what"; the
 * exit status is the number of failures.
 */
#include "../../bpf/shim.h"
#include "../../bpf/tracer.bpf.c"

#define PID 100
#define SSL_A 0xa000
#define SSL_B 0xb000

static const char *test_name;
static int failures, failed_here;
static char bytes[10 << 20];

static void check_equal(const char *what, long long got, long long want)
{
	if (got == want)
		return;
	failed_here = 1;
	printf("FAILED %s: %s is %lld, not %lld\n", test_name, what, got, want);
}
#define EQUAL(got, want) check_equal(#got, (long long)(got), (long long)(want))

static __u64 counter(enum tr_counter id)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&counters, &zero)->slot[id];
}
#define COUNT(name) counter(COUNTER_##name)

static const struct tr_record *record(int i) { return (const struct tr_record *)shim_records[i]; }
static const char *payload(int i) { return (const char *)(record(i) + 1); }

static struct tr_regs at_entry(__u64 sp, __u64 a0, __u64 a1, __u64 a2, __u64 a3)
{
	struct tr_regs regs = {};

	REGS_ARG0(&regs) = a0, REGS_ARG1(&regs) = a1, REGS_ARG2(&regs) = a2, REGS_ARG3(&regs) = a3;
	REGS_SP_ENTRY(&regs) = sp;
	return regs;
}

static struct tr_regs at_return(__u64 sp, __s64 result)
{
	struct tr_regs regs = {};

	REGS_RESULT(&regs) = (__u64)result;
	REGS_SP_ENTRY(&regs) = sp + (REGS_SP_ENTRY(&regs) - REGS_SP_RETURN(&regs));
	return regs;
}

static void enter(int (*program)(struct tr_regs *), __u64 sp, __u64 ssl, const void *buf, __u64 len, void *done)
{
	struct tr_regs regs = at_entry(sp, ssl, (__u64)buf, len, (__u64)done);

	program(&regs);
}

static void leave(int (*program)(struct tr_regs *), __u64 sp, __s64 result)
{
	struct tr_regs regs = at_return(sp, result);

	program(&regs);
}

static void send_bytes(__u64 ssl, const void *buf, int n)
{
	enter(tls_write_enter, 0x7000, ssl, buf, (__u64)n, 0);
	leave(tls_write_exit, 0x7000, n);
}

static void start_test(const char *name)
{
	struct tr_process process = {.start_ns = 7, .flags = PROCESS_FOLLOW};
	__u32 pid = PID;

	test_name = name, failed_here = 0;
	shim_entries = NULL, shim_record_count = shim_wakeups = shim_discards = shim_refuse_updates = 0;
	shim_ring_free = 1u << 30, shim_fill_bytes = 0, shim_cookie = 5, shim_bad_from = shim_bad_to = NULL;
	shim_pid_tgid = (__u64)PID << 32 | 101, want_peer = 0;
	bpf_map_update_elem(&processes, &pid, &process, BPF_ANY);
}

/* Balance that holds after every test: nothing reserved is left open, every byte is accounted for. */
static void end_test(void)
{
	EQUAL(shim_open_records, 0);
	EQUAL(COUNT(copied_bytes) + COUNT(skipped_bytes) + COUNT(lost_ring_full_bytes) + COUNT(lost_fault_bytes) +
		      COUNT(lost_too_long_bytes) + COUNT(lost_table_full_bytes),
	      COUNT(bytes_out) + COUNT(bytes_in));
	EQUAL(COUNT(records), shim_record_count);
	if (!failed_here)
		printf("ok %s\n", test_name);
	failures += failed_here;
}

#define TEST(name) for (int turn = (start_test(name), 0); !turn; turn = (end_test(), 1))

static void test_chunks(void)
{
	TEST("a long call becomes chunks with running offsets, the last one marked") {
		send_bytes(SSL_A, bytes, 40000);
		EQUAL(shim_record_count, 3);
		for (int i = 0; i < 3; i++) {
			EQUAL(record(i)->offset, i * 16384);
			EQUAL(record(i)->len_bytes, i < 2 ? 16384 : 7232);
			EQUAL(record(i)->aux, 40000);
			EQUAL(record(i)->flags, i < 2 ? 0 : FLAG_CALL_END);
			EQUAL(memcmp(payload(i), bytes + i * 16384, record(i)->len_bytes), 0);
		}
		EQUAL(record(0)->pid, PID);
		EQUAL(record(0)->tid, 101);
		EQUAL(record(0)->hook, 5);
		EQUAL(record(0)->start_ns, 7);
		EQUAL(record(0)->dir, DIR_OUT);
	}
	TEST("a call of exactly MAX_CALL_BYTES is whole, one byte more is cut and counted") {
		send_bytes(SSL_A, bytes, MAX_CALL_BYTES);
		EQUAL(shim_record_count, 512);
		EQUAL(record(511)->flags, FLAG_CALL_END);
		send_bytes(SSL_A, bytes, MAX_CALL_BYTES + 1);
		EQUAL(shim_record_count, 1024);
		EQUAL(record(1023)->flags, FLAG_CALL_END | FLAG_CUT);
		EQUAL(COUNT(lost_too_long_bytes), 1);
		send_bytes(SSL_A, bytes, 1);
		EQUAL(record(1024)->offset, 2LL * MAX_CALL_BYTES + 1);
	}
}

static void test_classes(void)
{
	static const int each[][2] = {{1, 128}, {128, 128}, {129, 256}, {1000, 1024}, {4097, 8192}, {8193, 16384}};

	TEST("a record takes the smallest size class that holds it") {
		for (int i = 0; i < 6; i++) {
			__u64 before = COUNT(ring_bytes);

			send_bytes(SSL_A, bytes, each[i][0]);
			EQUAL(COUNT(ring_bytes) - before, 8 + 64 + each[i][1]);
		}
	}
}

static void test_losses(void)
{
	TEST("a full ring loses chunks, not offsets, and later chunks are still tried") {
		shim_ring_free = 2 * (8 + 64 + 16384) + 8 + 64 + 128;
		send_bytes(SSL_A, bytes, 3 * 16384 + 100);
		EQUAL(shim_record_count, 3);
		EQUAL(record(2)->offset, 3 * 16384);
		EQUAL(record(2)->len_bytes, 100);
		EQUAL(COUNT(lost_ring_full_bytes), 16384);
		EQUAL(COUNT(lost_ring_full_chunks), 1);
	}
	TEST("a buffer that faults in one chunk loses that chunk only") {
		shim_bad_from = bytes + 20000, shim_bad_to = bytes + 20001;
		send_bytes(SSL_A, bytes, 40000);
		EQUAL(shim_record_count, 2);
		EQUAL(record(1)->offset, 32768);
		EQUAL(COUNT(lost_fault_bytes), 16384);
		EQUAL(shim_discards, 1);
	}
	TEST("without room in the connection table the bytes are counted, nothing is emitted") {
		enter(tls_write_enter, 0x7000, SSL_A, bytes, 50, 0);
		shim_refuse_updates = 1;
		leave(tls_write_exit, 0x7000, 50);
		EQUAL(shim_record_count, 0);
		EQUAL(COUNT(lost_table_full_bytes), 50);
	}
	TEST("without room for the thread the connection is broken, for its size is unknown") {
		send_bytes(SSL_A, bytes, 10);
		shim_refuse_updates = 1;
		send_bytes(SSL_A, bytes, 10);
		shim_refuse_updates = 0;
		send_bytes(SSL_A, bytes, 10);
		EQUAL(COUNT(lost_threads_full_calls), 1);
		EQUAL(record(1)->kind, RECORD_CLOSE);
		EQUAL(record(1)->flags, FLAG_BROKEN);
		EQUAL(record(2)->offset, 0);
		EQUAL(record(2)->generation != record(0)->generation, 1);
	}
}

static void test_results(void)
{
	static const __s64 nothing[] = {0, -1, (__s64)0xffffffff, (__s64)0x100000000};
	size_t done;

	TEST("results that say nothing moved emit nothing, upper halves of registers ignored") {
		for (int i = 0; i < 4; i++) {
			enter(tls_read_enter, 0x7000, SSL_A, bytes, 100, 0);
			leave(tls_read_exit, 0x7000, nothing[i]);
		}
		EQUAL(shim_record_count, 0);
		enter(tls_read_enter, 0x7000, SSL_A, bytes, 0xffffffff00000064, 0);
		leave(tls_read_exit, 0x7000, (__s64)0xdead00000064);
		EQUAL(record(0)->len_bytes, 100);
	}
	TEST("a count through a pointer is believed up to what was asked for") {
		done = 300, enter(tls_read_ex_enter, 0x7000, SSL_A, bytes, 300, &done), leave(tls_read_ex_exit, 0x7000, 1);
		EQUAL(record(0)->len_bytes, 300);
		done = 301, enter(tls_read_ex_enter, 0x7000, SSL_A, bytes, 300, &done), leave(tls_read_ex_exit, 0x7000, 1);
		EQUAL(COUNT(lost_odd_count_calls), 1);
		done = (size_t)-1, enter(tls_read_ex_enter, 0x7000, SSL_A, bytes, (size_t)-1, &done);
		leave(tls_read_ex_exit, 0x7000, 1);
		EQUAL(COUNT(lost_odd_count_calls), 2);
		enter(tls_read_ex_enter, 0x7000, SSL_A, bytes, 300, NULL), leave(tls_read_ex_exit, 0x7000, 1);
		EQUAL(COUNT(lost_count_fault_calls), 1);
	}
}

static void test_nesting(void)
{
	size_t done = 60;

	TEST("of two calls for one flow the outer reports; for two connections both do") {
		enter(tls_read_enter, 0x7000, SSL_A, bytes, 100, 0);
		enter(tls_read_ex_enter, 0x6000, SSL_A, bytes, 100, &done);
		enter(tls_read_enter, 0x5000, SSL_B, bytes, 100, 0);
		leave(tls_read_exit, 0x5000, 80);
		leave(tls_read_ex_exit, 0x6000, 1);
		leave(tls_read_exit, 0x7000, 60);
		EQUAL(shim_record_count, 2);
		EQUAL(record(0)->ssl, SSL_B);
		EQUAL(record(1)->ssl, SSL_A);
		EQUAL(COUNT(nested_calls), 1);
	}
	TEST("sending inside receiving on one connection is no nesting") {
		enter(tls_read_enter, 0x7000, SSL_A, bytes, 100, 0);
		enter(tls_write_enter, 0x6000, SSL_A, bytes, 30, 0);
		leave(tls_write_exit, 0x6000, 30);
		leave(tls_read_exit, 0x7000, 100);
		EQUAL(shim_record_count, 2);
		EQUAL(COUNT(nested_calls), 0);
	}
	TEST("a return is matched by its stack pointer, a return without entry is counted as late") {
		leave(tls_read_exit, 0x7000, 9);
		enter(tls_read_enter, 0x7000, SSL_A, bytes, 100, 0);
		leave(tls_read_exit, 0x6000, 9);
		leave(tls_write_exit, 0x6000, 9);
		leave(tls_read_exit, 0x7000, 100);
		EQUAL(shim_record_count, 1);
		EQUAL(COUNT(late_calls), 3);
		EQUAL(COUNT(late_bytes), 27);
	}
}

static void test_left_calls(void)
{
	TEST("an inner call that never returned is not taken for the outer one that does") {
		send_bytes(SSL_B, bytes, 1);
		enter(tls_read_enter, 0x7000, SSL_A, bytes, 100, 0);
		enter(tls_read_enter, 0x6000, SSL_B, bytes, 100, 0);
		leave(tls_read_exit, 0x7000, 50);
		EQUAL(record(1)->kind, RECORD_CLOSE);
		EQUAL(record(1)->ssl, SSL_B);
		EQUAL(record(1)->flags, FLAG_BROKEN);
		EQUAL(record(2)->ssl, SSL_A);
		EQUAL(record(2)->len_bytes, 50);
		EQUAL(COUNT(lost_no_return_calls), 1);
	}
	TEST("a call left by a jump does not make later calls of its flow pass for nested") {
		enter(tls_read_enter, 0x7000, SSL_A, bytes, 100, 0);
		enter(tls_read_enter, 0x6000, SSL_A, bytes, 100, 0);
		leave(tls_read_exit, 0x6000, 50);
		EQUAL(shim_record_count, 1);
		EQUAL(record(0)->len_bytes, 50);
		EQUAL(COUNT(lost_no_return_calls), 1);
	}
}

static void test_connections(void)
{
	struct tr_conn_key key = {.ssl = SSL_A, .pid = PID};
	struct tr_skip skip = {};
	__u32 pid = PID;

	TEST("a freed address starts a new generation from 0, and CLOSE carries the final offsets") {
		send_bytes(SSL_A, bytes, 50);
		enter(tls_free_enter, 0x7000, SSL_A, 0, 0, 0);
		enter(tls_free_enter, 0x7000, SSL_A, 0, 0, 0);
		send_bytes(SSL_A, bytes, 10);
		EQUAL(shim_record_count, 3);
		EQUAL(record(1)->kind, RECORD_CLOSE);
		EQUAL(record(1)->offset, 50);
		EQUAL(record(1)->aux, 0);
		EQUAL(record(2)->offset, 0);
		EQUAL(record(2)->generation > record(0)->generation, 1);
	}
	TEST("a CLOSE that found no room is said at the next use of the address") {
		send_bytes(SSL_A, bytes, 50);
		shim_ring_free = 0, enter(tls_free_enter, 0x7000, SSL_A, 0, 0, 0), shim_ring_free = 1 << 20;
		EQUAL(COUNT(lost_ring_full_events), 1);
		EQUAL(bpf_map_lookup_elem(&connections, &key)->flags, CONN_CLOSED);
		send_bytes(SSL_A, bytes, 10);
		EQUAL(record(1)->kind, RECORD_CLOSE);
		EQUAL(record(1)->offset, 50);
		EQUAL(COUNT(connections_closed), 1);
		EQUAL(record(2)->offset, 0);
	}
	TEST("a skipped connection is counted, not copied, and the order dies with the generation") {
		send_bytes(SSL_A, bytes, 50);
		skip.generation = record(0)->generation;
		bpf_map_update_elem(&skipped, &key, &skip, BPF_ANY);
		send_bytes(SSL_A, bytes, 70);
		EQUAL(shim_record_count, 1);
		EQUAL(COUNT(skipped_bytes), 70);
		EQUAL(bpf_map_lookup_elem(&connections, &key)->out_bytes, 120);
		enter(tls_free_enter, 0x7000, SSL_A, 0, 0, 0);
		send_bytes(SSL_A, bytes, 5);
		EQUAL(record(2)->len_bytes, 5);
	}
	TEST("after exec, and for a reused pid, an address means another connection") {
		send_bytes(SSL_A, bytes, 50);
		bpf_map_lookup_elem(&processes, &pid)->execs = 1;
		send_bytes(SSL_A, bytes, 5);
		bpf_map_lookup_elem(&processes, &pid)->start_ns = 99;
		send_bytes(SSL_A, bytes, 6);
		EQUAL(shim_record_count, 5);
		EQUAL(record(1)->kind, RECORD_CLOSE);
		EQUAL(record(2)->offset, 0);
		EQUAL(record(3)->kind, RECORD_CLOSE);
		EQUAL(record(3)->start_ns, 7);
		EQUAL(record(4)->start_ns, 99);
	}
}

static void test_filters(void)
{
	struct {
		__u64 method;
	} object = {.method = 0x55555120};

	TEST("a process that is not traced leaves no trace at all") {
		shim_pid_tgid = (__u64)555 << 32 | 555;
		send_bytes(SSL_A, bytes, 10);
		EQUAL(shim_record_count + (int)COUNT(calls_out) + (int)COUNT(late_calls), 0);
	}
	TEST("a probe for all says nothing in a process that has its own; the process's own do") {
		__u32 pid = PID;

		bpf_map_lookup_elem(&processes, &pid)->flags |= PROCESS_OWN_PROBES;
		shim_cookie = 5 | 1ull << COOKIE_YIELDS_SHIFT;
		send_bytes(SSL_A, bytes, 10);
		EQUAL(shim_record_count + (int)COUNT(calls_out) + (int)COUNT(late_calls), 0);
		shim_cookie = 6, send_bytes(SSL_A, bytes, 10);
		EQUAL(shim_record_count, 1);
		shim_cookie = 5 | 1ull << COOKIE_YIELDS_SHIFT, enter(tls_free_enter, 0x7000, SSL_A, 0, 0, 0);
		enter(tls_sni_enter, 0x7000, SSL_A, "host", 0, 0);
		EQUAL(shim_record_count, 1);
	}
	TEST("a probe for all that yields speaks for a process without its own") {
		shim_cookie = 5 | 1ull << COOKIE_YIELDS_SHIFT;
		send_bytes(SSL_A, bytes, 10);
		EQUAL(record(0)->hook, 5);
	}
	TEST("an object with another method table is dropped where the cookie asks for the check") {
		shim_cookie = 5 | 1ull << COOKIE_CHECK_METHOD_SHIFT | 0x120ull << COOKIE_METHOD_SHIFT;
		send_bytes((__u64)&object, bytes, 10);
		EQUAL(shim_record_count, 1);
		object.method = 0x55555128;
		send_bytes((__u64)&object, bytes, 10);
		EQUAL(shim_record_count, 1);
		EQUAL(COUNT(other_method_calls), 1);
	}
	TEST("the consumer is woken once per mebibyte of fill, not per record") {
		for (int i = 0; i < 200; i++)
			send_bytes(SSL_A, bytes, 16384);
		EQUAL(shim_wakeups, 3);
		EQUAL(COUNT(wakeups), 3);
		EQUAL(COUNT(ring_peak_bytes), 200 * (16384 + 72));
	}
}

static void test_processes(void)
{
	struct signal_struct signals = {.live = {0}};
	struct task_struct parent = {.pid = 101, .tgid = PID}, child = {.pid = 200, .tgid = 200}, thread = {.pid = 102, .tgid = PID};
	struct task_struct last = {.pid = 101, .tgid = PID, .exit_code = 9, .signal = &signals};
	struct bpf_raw_tracepoint_args args = {{(__u64)&parent, (__u64)&child}};
	__u32 pid = PID, child_pid = 200;

	TEST("a child is traced from its fork on, a new thread is no child") {
		bpf_map_lookup_elem(&processes, &pid)->flags |= PROCESS_OWN_PROBES;
		proc_fork(&args);
		EQUAL(record(0)->kind, RECORD_FORK);
		EQUAL(record(0)->pid, PID);
		EQUAL(record(0)->aux, 200);
		EQUAL(record(0)->start_ns, bpf_map_lookup_elem(&processes, &child_pid)->start_ns);
		EQUAL(bpf_map_lookup_elem(&processes, &child_pid)->flags, PROCESS_FOLLOW);
		args.args[1] = (__u64)&thread;
		proc_fork(&args);
		EQUAL(shim_record_count, 1);
	}
	TEST("children are left alone where following was not asked for") {
		args.args[1] = (__u64)&child;
		bpf_map_lookup_elem(&processes, &pid)->flags = 0;
		proc_fork(&args);
		EQUAL(bpf_map_lookup_elem(&processes, &child_pid) == NULL, 1);
	}
	TEST("a process ends with its last thread, once") {
		args.args[0] = (__u64)&last;
		signals.live.counter = 1, proc_exit(&args);
		EQUAL(shim_record_count, 0);
		signals.live.counter = 0, proc_exit(&args), proc_exit(&args);
		EQUAL(shim_record_count, 1);
		EQUAL(record(0)->kind, RECORD_EXIT);
		EQUAL(record(0)->aux, 9);
	}
}

/* A TLS object as a library may have it: session at 0x10, whose cipher is at 8, whose id is at 4; version at 2. */
struct cipher {
	__u32 zero, id;
};
struct session {
	__u64 zero;
	const struct cipher *cipher;
};
struct object {
	__u16 zero, version;
	__u32 alpn_bytes;
	const char *alpn;
	const struct session *session;
};

static void receive(struct object *object, int n)
{
	enter(tls_read_enter, 0x7000, (__u64)object, bytes, 4096, 0);
	leave(tls_read_exit, 0x7000, n);
}

static void test_facts(void)
{
	static const struct cipher cipher = {.id = 0x03001302};
	static const struct session session = {.cipher = &cipher}, unnegotiated = {};
	const struct tr_fact_layout layout = {
		.version = 2, .version_steps = 1,
		.cipher = 0x10 | 8ull << 16 | 4ull << 32, .cipher_steps = 3,
		.alpn = 8, .alpn_steps = 1,
		.alpn_bytes = 4, .alpn_bytes_steps = 1,
		.evidence = FACTS_BY_GETTERS,
	};
	struct object object = {.version = 0x0304, .alpn = "h2", .alpn_bytes = 2, .session = &session};
	__u32 index = 3;

#define FACTS_TEST(name) \
	TEST(name) \
		if (bpf_map_update_elem(&fact_layouts, &index, &layout, BPF_ANY) == 0) \
			for (shim_cookie = 42 | 3ull << COOKIE_FACTS_SHIFT; shim_cookie; shim_cookie = 0)

	FACTS_TEST("what was negotiated is told once, before the first bytes that were received") {
		const struct tr_facts *facts;

		send_bytes((__u64)&object, bytes, 10);
		EQUAL(shim_record_count, 1);
		receive(&object, 5), receive(&object, 5);
		EQUAL(shim_record_count, 4);
		EQUAL(record(1)->kind, RECORD_FACTS);
		EQUAL(record(1)->ssl, (__u64)&object);
		EQUAL(record(1)->hook, 42);
		EQUAL(record(1)->aux, FACTS_BY_GETTERS);
		EQUAL(record(1)->len_bytes, sizeof(struct tr_facts) + 2);
		EQUAL(record(1)->generation, record(2)->generation);
		facts = (const struct tr_facts *)payload(1);
		EQUAL(facts->version, 0x0304);
		EQUAL(facts->cipher, 0x03001302);
		EQUAL(facts->alpn_bytes, 2);
		EQUAL(memcmp(facts + 1, "h2", 2), 0);
		EQUAL(record(2)->kind, RECORD_DATA);
		EQUAL(record(3)->kind, RECORD_DATA);
	}
	FACTS_TEST("what is not there yet is looked for again, but not for ever") {
		object.session = &unnegotiated;
		receive(&object, 5);
		object.session = 0;
		receive(&object, 5);
		EQUAL(shim_record_count, 2);
		object.session = &session;
		receive(&object, 5);
		EQUAL(shim_record_count, 4);
		EQUAL(record(2)->kind, RECORD_FACTS);
	}
	FACTS_TEST("an object without facts is given up on") {
		object.version = 0;
		for (int i = 0; i < 2 * MAX_FACTS_TRIES; i++)
			receive(&object, 5);
		object.version = 0x0304;
		receive(&object, 5);
		EQUAL(shim_record_count, 2 * MAX_FACTS_TRIES + 1);
		EQUAL(record(2 * MAX_FACTS_TRIES)->kind, RECORD_DATA);
	}
	FACTS_TEST("a name that is too long, or cannot be read, is left out and nothing else") {
		object.alpn_bytes = MAX_ALPN_BYTES + 1;
		receive(&object, 5);
		EQUAL(record(0)->kind, RECORD_FACTS);
		EQUAL(record(0)->len_bytes, sizeof(struct tr_facts));
		EQUAL(((const struct tr_facts *)payload(0))->alpn_bytes, 0);
		object.alpn_bytes = 2;
	}
	TEST("without a layout nothing is looked for") {
		shim_cookie = 42;
		receive(&object, 5);
		shim_cookie = 42 | 200ull << COOKIE_FACTS_SHIFT;
		receive(&object, 5);
		shim_cookie = 0;
		EQUAL(shim_record_count, 2);
		EQUAL(record(1)->kind, RECORD_DATA);
	}
	FACTS_TEST("the cipher suite is told alone where only its way is known") {
		struct tr_fact_layout only = {.cipher = layout.cipher, .cipher_steps = 3, .evidence = FACTS_BY_CIPHER_STATE};

		bpf_map_update_elem(&fact_layouts, &index, &only, BPF_ANY);
		receive(&object, 5);
		EQUAL(record(0)->kind, RECORD_FACTS);
		EQUAL(record(0)->aux, FACTS_BY_CIPHER_STATE);
		EQUAL(record(0)->len_bytes, sizeof(struct tr_facts));
		EQUAL(((const struct tr_facts *)payload(0))->version, 0);
		EQUAL(((const struct tr_facts *)payload(0))->cipher, 0x03001302);
	}
	FACTS_TEST("a full ring loses no more than this attempt") {
		shim_ring_free = 100;
		receive(&object, 5);
		shim_ring_free = 1u << 30;
		EQUAL(shim_record_count, 0);
		receive(&object, 5);
		EQUAL(record(0)->kind, RECORD_FACTS);
	}
}

/* A TCP socket, 127.0.0.1:40000 to 127.0.0.1:443, sends; a result below 0 is an error. */
static void tcp_send_from(struct sock *sk, long result)
{
	struct bpf_raw_tracepoint_args args = {{(__u64)sk, (__u64)result}};

	peer_send(&args);
}

static struct sock socket_of(__u16 family, __u16 protocol)
{
	struct sock sk = {.sk_protocol = protocol};

	sk.__sk_common.skc_family = family;
	sk.__sk_common.skc_num = 40000;
	sk.__sk_common.skc_dport = __builtin_bswap16(443);
	sk.__sk_common.skc_rcv_saddr = sk.__sk_common.skc_daddr = 0x0100007f;
	for (int i = 0; i < 16; i++) {
		sk.__sk_common.skc_v6_rcv_saddr.in6_u.u6_addr8[i] = (__u8)(0x10 + i);
		sk.__sk_common.skc_v6_daddr.in6_u.u6_addr8[i] = (__u8)(0x20 + i);
	}
	return sk;
}

static int peers_told(void)
{
	int told = 0;

	for (int i = 0; i < shim_record_count; i++)
		told += record(i)->kind == RECORD_PEER;
	return told;
}

/* 10 bytes given to a new connection, then a send of so many bytes. */
static int is_told_after(int before, long sent)
{
	struct sock sk = socket_of(AF_INET, IPPROTO_TCP);
	int told = peers_told();

	enter(tls_free_enter, 0x7000, SSL_A, 0, 0, 0);
	if (before) {
		send_bytes(SSL_A, bytes, before);
		tcp_send_from(&sk, 1); /* as long as nothing: ends that match */
	}
	send_bytes(SSL_A, bytes, 10);
	tcp_send_from(&sk, sent);
	return peers_told() - told;
}

static void test_peers(void)
{
	struct sock tcp = socket_of(AF_INET, IPPROTO_TCP), tcp6 = socket_of(AF_INET6, IPPROTO_TCP);
	struct sock udp = socket_of(AF_INET, 17), local = socket_of(1, 0);
	struct tr_conn_key key = {.ssl = SSL_A, .pid = PID};
	const struct tr_peer *peer;

	TEST("without want_peer nothing is remembered, so nothing is told") {
		send_bytes(SSL_A, bytes, 10);
		EQUAL(bpf_map_lookup_elem(&sends_after, &shim_pid_tgid) == NULL, 1);
		tcp_send_from(&tcp, 32);
		EQUAL(peers_told(), 0);
	}
	TEST("a send right after calls tells the socket, once, with the addresses as on the wire") {
		want_peer = 1;
		send_bytes(SSL_A, bytes, 10), send_bytes(SSL_A, bytes, 20000);
		tcp_send_from(&tcp, 10 + 20000 + 3 * 22);
		EQUAL(peers_told(), 1);
		EQUAL(record(3)->kind, RECORD_PEER);
		EQUAL(record(3)->aux, PEER_SENT_AFTER);
		EQUAL(record(3)->ssl, SSL_A);
		EQUAL(record(3)->generation, record(0)->generation);
		EQUAL(record(3)->len_bytes, sizeof(struct tr_peer));
		peer = (const struct tr_peer *)payload(3);
		EQUAL(peer->family, FAMILY_IPV4);
		EQUAL(peer->local_port, 40000);
		EQUAL(peer->remote_port, 443);
		EQUAL(memcmp(&peer->local_high, "\x7f\0\0\x01\0\0\0\0", 8), 0);
		send_bytes(SSL_A, bytes, 10), tcp_send_from(&tcp, 32);
		EQUAL(peers_told(), 1);
	}
	TEST("IPv6 addresses are told whole") {
		want_peer = 1;
		send_bytes(SSL_A, bytes, 10), tcp_send_from(&tcp6, 32);
		peer = (const struct tr_peer *)payload(1);
		EQUAL(peer->family, FAMILY_IPV6);
		EQUAL(memcmp(&peer->local_high, tcp6.__sk_common.skc_v6_rcv_saddr.in6_u.u6_addr8, 16), 0);
		EQUAL(memcmp(&peer->remote_high, tcp6.__sk_common.skc_v6_daddr.in6_u.u6_addr8, 16), 0);
	}
	TEST("only lengths that TLS makes of the bytes count: 1.3, AES-GCM and ChaCha20 in 1.2") {
		static const long added[] = {22, 29, 21, 0, 20, 23, 28, 30, 64, 80, 44};

		want_peer = 1;
		for (int i = 0; i < 11; i++)
			EQUAL(is_told_after(7, 10 + added[i]), i < 3);
	}
	TEST("with the first bytes the end of the handshake may go out, with later ones not") {
		static const long added[] = {22 + 6 + 74, 22 + 6 + 58, 22 + 74, 22 + 58, 29 + 80, 22 + 81};

		want_peer = 1;
		for (int i = 0; i < 6; i++) {
			EQUAL(is_told_after(0, 10 + added[i]), i < 2);
			EQUAL(is_told_after(7, 10 + added[i]), 0);
		}
	}
	TEST("another TCP send in between ends the match; failures and sends that are no TCP do not") {
		want_peer = 1;
		send_bytes(SSL_A, bytes, 10);
		tcp_send_from(&udp, 32), tcp_send_from(&local, 32), tcp_send_from(&tcp, -11), tcp_send_from(&tcp, 0);
		EQUAL(peers_told(), 0);
		tcp_send_from(&tcp, 32);
		EQUAL(peers_told(), 1);
		send_bytes(SSL_B, bytes, 10), tcp_send_from(&tcp, 500), tcp_send_from(&tcp, 32);
		EQUAL(peers_told(), 1);
	}
	TEST("what was given to another connection meanwhile takes the place of the first") {
		want_peer = 1;
		send_bytes(SSL_A, bytes, 10), send_bytes(SSL_B, bytes, 100);
		tcp_send_from(&tcp, 122);
		EQUAL(peers_told(), 1);
		EQUAL(record(2)->ssl, SSL_B);
	}
	TEST("another thread's sends, and those of processes that are not traced, tell nothing") {
		want_peer = 1;
		send_bytes(SSL_A, bytes, 10);
		shim_pid_tgid++, tcp_send_from(&tcp, 32);
		shim_pid_tgid = (__u64)555 << 32 | 101, tcp_send_from(&tcp, 32);
		EQUAL(peers_told(), 0);
		shim_pid_tgid = (__u64)PID << 32 | 101, tcp_send_from(&tcp, 32);
		EQUAL(peers_told(), 1);
	}
	TEST("an address that was freed and used again is another connection: nothing is told of it") {
		want_peer = 1;
		send_bytes(SSL_A, bytes, 10);
		enter(tls_free_enter, 0x7000, SSL_A, 0, 0, 0);
		tcp_send_from(&tcp, 32);
		EQUAL(peers_told(), 0);
	}
	TEST("a send inside the call tells its socket, and then sends after calls are not its own") {
		want_peer = 1;
		enter(tls_write_enter, 0x7000, SSL_A, bytes, 50, 0);
		tcp_send_from(&tcp, 51), tcp_send_from(&tcp, 72);
		leave(tls_write_exit, 0x7000, 50);
		EQUAL(peers_told(), 1);
		EQUAL(record(0)->aux, PEER_SENT_INSIDE);
		EQUAL(bpf_map_lookup_elem(&connections, &key)->flags, CONN_HAS_PEER | CONN_OWNS_SOCKET);
		enter(tls_write_enter, 0x7000, SSL_B, bytes, 50, 0), tcp_send_from(&tcp, 51), leave(tls_write_exit, 0x7000, 50);
		send_bytes(SSL_B, bytes, 10), tcp_send_from(&tcp, 32);
		EQUAL(peers_told(), 1);
	}
	TEST("of a call with several records the first one's length is meant; while receiving nothing is told") {
		want_peer = 1;
		enter(tls_write_enter, 0x7000, SSL_A, bytes, 40000, 0), tcp_send_from(&tcp, 16384 + 22);
		leave(tls_write_exit, 0x7000, 40000);
		EQUAL(peers_told(), 1);
		enter(tls_read_enter, 0x7000, SSL_B, bytes, 50, 0), tcp_send_from(&tcp, 72), leave(tls_read_exit, 0x7000, 50);
		EQUAL(peers_told(), 1);
	}
	TEST("what is given and sent from within a call that receives is a send after the call") {
		want_peer = 1;
		enter(tls_read_enter, 0x7000, SSL_A, bytes, 50, 0);
		enter(tls_write_enter, 0x6000, SSL_A, bytes, 10, 0), leave(tls_write_exit, 0x6000, 10);
		tcp_send_from(&tcp, 10 + 22 + 80);
		leave(tls_read_exit, 0x7000, -1);
		EQUAL(peers_told(), 1);
		EQUAL(record(1)->aux, PEER_SENT_AFTER);
	}
	TEST("without room in the ring the socket is told with the next send that fits") {
		want_peer = 1;
		send_bytes(SSL_A, bytes, 10);
		shim_ring_free = 0, tcp_send_from(&tcp, 32), shim_ring_free = 1 << 20;
		EQUAL(peers_told(), 0);
		send_bytes(SSL_A, bytes, 10), tcp_send_from(&tcp, 32);
		EQUAL(peers_told(), 1);
	}
}

int main(void)
{
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (char)(i * 7 + (i >> 9));
	test_chunks();
	test_classes();
	test_losses();
	test_results();
	test_nesting();
	test_left_calls();
	test_connections();
	test_filters();
	test_processes();
	test_facts();
	test_peers();
	return failures;
}
