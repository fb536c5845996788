/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Which socket a TLS object speaks through, from the raw tracepoint sock_send_length (kernel >= 6.3). Best effort, never a
 * guess; told once per generation.
 *  - Sent while the thread is inside a hooked call that sends, as one record: the library writes to its own socket.
 *  - Sent by the thread right after such calls, with exactly the length that TLS makes of their bytes: Node and others let
 *    the library write to memory and send that themselves. Any other TCP send in between ends the match. A client that was
 *    given its first request before the handshake was over sends the end of the handshake along with it.
 *    This may happen inside a call that receives: Node runs JavaScript from there when the handshake is over.
 * The tracepoint fires for every send on the machine; a thread that is not traced costs one look-up.
 */
#ifndef TRACER_PEER_BPF_H
#define TRACER_PEER_BPF_H

#ifndef TRACER_SHIM
#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)
#endif

struct in6_addr {
	union {
		__u8 u6_addr8[16];
	} in6_u;
};

struct sock_common {
	__u16 skc_family;
	__u16 skc_num;   /* local port, host order */
	__u16 skc_dport; /* remote port, network order */
	__u32 skc_daddr;
	__u32 skc_rcv_saddr;
	struct in6_addr skc_v6_daddr;
	struct in6_addr skc_v6_rcv_saddr;
};

struct sock {
	struct sock_common __sk_common;
	__u16 sk_protocol;
};

#ifndef TRACER_SHIM
#pragma clang attribute pop
#endif

#define AF_INET 2
#define AF_INET6 10
#define IPPROTO_TCP 6

static __always_inline int is_tcp(const struct sock *sk)
{
	__u16 family = BPF_CORE_READ(sk, __sk_common.skc_family);

	return (family == AF_INET || family == AF_INET6) && BPF_CORE_READ(sk, sk_protocol) == IPPROTO_TCP;
}

static __always_inline void fill_peer(struct tr_peer *peer, const struct sock *sk)
{
	__u16 port = BPF_CORE_READ(sk, __sk_common.skc_dport);

	__builtin_memset(peer, 0, sizeof(*peer));
	peer->family = BPF_CORE_READ(sk, __sk_common.skc_family) == AF_INET ? FAMILY_IPV4 : FAMILY_IPV6;
	peer->local_port = BPF_CORE_READ(sk, __sk_common.skc_num);
	peer->remote_port = __builtin_bswap16(port);
	if (peer->family == FAMILY_IPV4) {
		*(__u32 *)&peer->local_high = BPF_CORE_READ(sk, __sk_common.skc_rcv_saddr);
		*(__u32 *)&peer->remote_high = BPF_CORE_READ(sk, __sk_common.skc_daddr);
		return;
	}
	bpf_probe_read_kernel(&peer->local_high, 16, __builtin_preserve_access_index(&sk->__sk_common.skc_v6_rcv_saddr));
	bpf_probe_read_kernel(&peer->remote_high, 16, __builtin_preserve_access_index(&sk->__sk_common.skc_v6_daddr));
}

static __always_inline void emit_peer(__u64 pid_tgid, __u64 ssl, struct tr_conn *conn, const struct sock *sk, __u64 how)
{
	struct tr_record *record = reserve_event(RECORD_PEER, pid_tgid, conn->start_ns, sizeof(struct tr_peer));

	if (!record)
		return;
	conn->flags |= CONN_HAS_PEER;
	record->ssl = ssl;
	record->generation = conn->generation;
	record->aux = how;
	record->len_bytes = sizeof(struct tr_peer);
	fill_peer((struct tr_peer *)(record + 1), sk);
	submit_event(record, sizeof(struct tr_peer));
}

/* Bytes that TLS adds to a record: 22 in TLS 1.3; in 1.2 29 with AES-GCM, 21 with ChaCha20 (RFC 8446 5.2, RFC 5288, RFC 7905). */
static __always_inline int is_length_of(__u64 sent, __u64 bytes, __u64 records)
{
	__u64 added = sent - bytes;

	return added == 22 * records || added == 29 * records || added == 21 * records;
}

/*
 * What a TLS 1.3 client has left to say when the server is through: ChangeCipherSpec (6 bytes, RFC 8446 D.4) and Finished, whose
 * record has 5 + 4 + hash + 1 + 16 bytes: hash is 48 with SHA-384, 32 with SHA-256 (RFC 8446 4.4.4, B.4).
 */
static __always_inline int is_first_flight_of(__u64 sent, __u64 bytes, __u64 records)
{
	__u64 added = sent - bytes - 22 * records;

	return added == 6 + 74 || added == 6 + 58;
}

static __always_inline int is_length_of_sends(__u64 sent, const struct tr_sends *sends)
{
	return is_length_of(sent, sends->bytes, sends->records) ||
	       (sends->is_first && is_first_flight_of(sent, sends->bytes, sends->records));
}

/* A library that owns its socket sends record by record. */
static __always_inline int is_first_record_of(__u64 sent, __u64 bytes)
{
	return is_length_of(sent, bytes > MAX_CHUNK_BYTES ? MAX_CHUNK_BYTES : bytes, 1);
}

/* args: sock, result of the send, flags. */
SEC("raw_tp/sock_send_length") int peer_send(struct bpf_raw_tracepoint_args *ctx)
{
	const struct sock *sk = (const struct sock *)ctx->args[0];
	__u64 pid_tgid = bpf_get_current_pid_tgid();
	struct tr_process *process = traced_process(pid_tgid);
	__s32 sent = ctx->args[1];
	struct tr_thread *thread;
	struct tr_sends *sends;
	struct tr_frame *frame;
	struct tr_conn *conn;

	if (!process || sent <= 0 || !is_tcp(sk))
		return 0;
	thread = bpf_map_lookup_elem(&threads, &pid_tgid);
	frame = thread ? top_frame(thread) : 0;
	if (frame && frame->dir == DIR_OUT) {
		conn = connection_of(pid_tgid, frame->ssl, process);
		if (conn) {
			conn->flags |= CONN_OWNS_SOCKET;
			if (!(conn->flags & CONN_HAS_PEER) && is_first_record_of(sent, frame->len))
				emit_peer(pid_tgid, frame->ssl, conn, sk, PEER_SENT_INSIDE);
		}
		return 0;
	}
	sends = bpf_map_lookup_elem(&sends_after, &pid_tgid);
	if (!sends)
		return 0;
	conn = connection_of(pid_tgid, sends->ssl, process);
	if (conn && conn->generation == sends->generation && !(conn->flags & CONN_HAS_PEER) &&
	    is_length_of_sends(sent, sends))
		emit_peer(pid_tgid, sends->ssl, conn, sk, PEER_SENT_AFTER);
	bpf_map_delete_elem(&sends_after, &pid_tgid);
	return 0;
}

#endif
