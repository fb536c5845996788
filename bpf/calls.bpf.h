/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Calls in flight: a small stack per thread. A frame is found again by the user stack pointer, which is the same at entry
 * and (corrected for the popped return address) at return, so a return that never came cannot be taken for another.
 * Rule: frames below the stack pointer of a probe that fires now are dead, their stack has been unwound.
 *
 * LIMITS: a thread that switches stacks inside a TLS call (fibers) breaks that rule; such calls are counted as lost.
 */
#ifndef TRACER_CALLS_BPF_H
#define TRACER_CALLS_BPF_H

static const struct tr_thread empty_thread = {};

/* Drops a frame whose return was missed. Bytes may have moved unseen, so its connection is broken (unless nested). */
static __always_inline void abandon(__u64 pid_tgid, const struct tr_frame *frame)
{
	if (frame->nested)
		return;
	count(COUNTER_lost_no_return_calls, 1);
	close_connection(pid_tgid, frame->ssl, FLAG_BROKEN);
}

static __always_inline int is_same_hook(const struct tr_frame *a, const struct tr_frame *b)
{
	return a->hook == b->hook && a->role == b->role;
}

static __always_inline int is_same_flow(const struct tr_frame *a, const struct tr_frame *b)
{
	return a->ssl == b->ssl && a->dir == b->dir;
}

/* Top frame, or 0 when the stack is empty. */
static __always_inline struct tr_frame *top_frame(struct tr_thread *thread)
{
	__u64 top = thread->depth - 1; /* wraps when there is none: verifiers before 6.8 learn nothing from `depth == 0` */

	FORGET(top);
	if (top >= MAX_DEPTH)
		return 0;
	return &thread->frames[top];
}

/* A hooked function may jump into another hooked one (tail call): same stack pointer, other hook, both alive. */
static __always_inline int is_alive(const struct tr_frame *old, const struct tr_frame *now)
{
	return old->sp > now->sp || (old->sp == now->sp && is_same_flow(old, now) && !is_same_hook(old, now));
}

static __always_inline void drop_dead_frames(__u64 pid_tgid, struct tr_thread *thread, const struct tr_frame *now)
{
	for (__u32 i = 0; i < MAX_DEPTH; i++) {
		struct tr_frame *top = top_frame(thread);

		if (!top || is_alive(top, now))
			return;
		thread->depth--;
		abandon(pid_tgid, top);
	}
}

/* The frame around `now` that will report the same bytes, e.g. SSL_read around ssl_read_internal; 0 when there is none. */
static __always_inline struct tr_frame *outer_frame(struct tr_thread *thread, const struct tr_frame *now)
{
	for (__u32 i = 0; i < MAX_DEPTH; i++) {
		struct tr_frame *frame = &thread->frames[i];

		if (i < thread->depth && !frame->nested && is_same_flow(frame, now))
			return frame;
	}
	return 0;
}

/*
 * An outer call that was left without a return (exception, longjmp) and whose stack is not yet reused looks alive. It is
 * not, when its own function is entered again for the same flow, or when a nested call has already moved bytes: the
 * library's functions then return before the next. Without this, all later calls would pass for nested, and be lost.
 */
static __always_inline int is_left_behind(const struct tr_frame *outer, const struct tr_frame *now)
{
	return outer->inner_moved || (is_same_hook(outer, now) && now->hook);
}

static __always_inline void drop_all_frames(__u64 pid_tgid, struct tr_thread *thread)
{
	for (__u32 i = 0; i < MAX_DEPTH; i++) {
		struct tr_frame *top = top_frame(thread);

		if (!top)
			return;
		thread->depth--;
		abandon(pid_tgid, top);
	}
}

static __always_inline struct tr_thread *thread_state(__u64 pid_tgid)
{
	struct tr_thread *thread = bpf_map_lookup_elem(&threads, &pid_tgid);

	if (thread)
		return thread;
	bpf_map_update_elem(&threads, &pid_tgid, &empty_thread, BPF_NOEXIST);
	return bpf_map_lookup_elem(&threads, &pid_tgid);
}

/* A call that cannot be followed: what it moves is not known, so the connection is broken here. */
static __always_inline void give_up(__u64 pid_tgid, const struct tr_frame *frame, enum tr_counter why)
{
	count(why, 1);
	close_connection(pid_tgid, frame->ssl, FLAG_BROKEN);
}

static __always_inline void push_frame(__u64 pid_tgid, struct tr_frame *frame)
{
	struct tr_thread *thread = thread_state(pid_tgid);
	struct tr_frame *outer;
	__u64 depth;

	if (!thread) {
		give_up(pid_tgid, frame, COUNTER_lost_threads_full_calls);
		return;
	}
	drop_dead_frames(pid_tgid, thread, frame);
	outer = outer_frame(thread, frame);
	if (outer && is_left_behind(outer, frame)) {
		drop_all_frames(pid_tgid, thread);
		outer = 0;
	}
	frame->nested = outer != 0;
	if (outer)
		count(COUNTER_nested_calls, 1);
	depth = thread->depth;
	FORGET(depth);
	if (depth < MAX_DEPTH) {
		thread->frames[depth] = *frame;
		thread->depth = depth + 1;
	} else if (!frame->nested) {
		give_up(pid_tgid, frame, COUNTER_lost_too_deep_calls);
	}
}

/* Takes the frame of the call that returns now, and the dead ones above it. wanted: sp, hook, role. */
static __always_inline int pop_frame(__u64 pid_tgid, struct tr_thread *thread, struct tr_frame *wanted)
{
	for (__u32 i = 0; i < MAX_DEPTH; i++) {
		struct tr_frame *top = top_frame(thread);

		if (!top || top->sp > wanted->sp)
			return 0;
		thread->depth--;
		if (top->sp == wanted->sp && is_same_hook(top, wanted)) {
			*wanted = *top;
			return 1;
		}
		abandon(pid_tgid, top);
	}
	return 0;
}

#endif
