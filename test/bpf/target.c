/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A process with functions of every role's shape, driven through one scenario per name on the command line. It waits for
 * a line on stdin first, so that a tracer can attach. Byte i of one direction of one object is pattern(object, dir, i):
 * whoever sees a chunk can check it by its offset alone. Prints "object NAME ADDRESS" and "moved NAME DIR BYTES".
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OUT, IN };

struct object {
	void *method;
	uint64_t moved[2];
};

/* Two "method tables" at different places in their pages. */
static char tables[8192] __attribute__((aligned(4096)));
#define OUR_TABLE (tables + 0x120)
#define OTHER_TABLE (tables + 0x340)

static struct object objects[16];
static char *scratch; /* holds the bytes of one call */
#define SCRATCH_BYTES (10u << 20)

static unsigned char pattern(long object, int dir, uint64_t i)
{
	return (unsigned char)(object * 31 + dir * 101 + i * 7 + (i >> 8) * 13 + (i >> 16));
}

static void fill(char *at, struct object *o, int dir, size_t n)
{
	for (size_t i = 0; i < n; i++)
		at[i] = (char)pattern(o - objects, dir, o->moved[dir] + i);
}

/* noipa: the compiler may not conclude that arguments are unused and leave out what fills them. */
#define HOOKED __attribute__((noipa, used))
#define KEEP asm volatile("" ::: "memory")

/* What a hooked function does before it returns: another hooked call, a jump out, or nothing. */
static __thread void (*inside)(void);
static __thread int64_t result;

static void run_inside(void)
{
	void (*now)(void) = inside;

	inside = NULL;
	if (now)
		now();
	KEEP;
}

HOOKED int t_read(struct object *o, char *buf, int num) { (void)o, (void)buf, (void)num; run_inside(); return (int)result; }
HOOKED int t_write(struct object *o, const char *buf, int num) { (void)o, (void)buf, (void)num; run_inside(); return (int)result; }

HOOKED int t_read_ex(struct object *o, char *buf, size_t num, size_t *done)
{
	(void)o, (void)buf, (void)num;
	if (done != (size_t *)8)
		*done = result > 0 ? (size_t)result : 0;
	run_inside();
	return result > 0;
}

HOOKED int t_write_ex(struct object *o, const char *buf, size_t num, size_t *done)
{
	(void)o, (void)buf, (void)num;
	*done = result > 0 ? (size_t)result : 0;
	run_inside();
	return result > 0;
}

/* As ssl_write_internal of OpenSSL 3.3 and later: flags in front of the count. */
HOOKED int t_write_flags(struct object *o, const char *buf, size_t num, uint64_t flags, size_t *done)
{
	(void)o, (void)buf, (void)num, (void)flags;
	*done = result > 0 ? (size_t)result : 0;
	KEEP;
	return result > 0;
}

/* Jumps into t_write_ex: both are entered with one stack pointer and return at once. */
HOOKED int t_write_tail(struct object *o, const char *buf, size_t num, size_t *done);
asm(".text\n.globl t_write_tail\n.type t_write_tail, @function\nt_write_tail:\n\tnop\n\tjmp t_write_ex\n.size t_write_tail, .-t_write_tail\n");

struct span {
	char *at;
	size_t len;
};

HOOKED int t_open(struct object *o, struct span *out)
{
	(void)o;
	out->at = scratch;
	out->len = (size_t)result;
	KEEP;
	return result < 0;
}

HOOKED int t_seal(struct object *o, _Bool *needs_handshake, size_t *done, const char *buf, size_t num)
{
	(void)o, (void)needs_handshake, (void)buf, (void)num;
	*done = (size_t)result;
	KEEP;
	return 1;
}

HOOKED int t_seal_old(struct object *o, _Bool *needs_handshake, const char *buf, int num)
{
	(void)o, (void)needs_handshake, (void)buf, (void)num;
	KEEP;
	return (int)result;
}

HOOKED void t_free(struct object *o) { (void)o; KEEP; }
HOOKED int t_sni(struct object *o, const char *name) { (void)o, (void)name; KEEP; return 1; }
HOOKED long t_ctrl(struct object *o, int cmd, long larg, void *parg) { (void)o, (void)cmd, (void)larg, (void)parg; KEEP; return 1; }

static void moved(struct object *o, int dir, int64_t n)
{
	if (n > 0)
		o->moved[dir] += (uint64_t)n;
}

static void do_write(struct object *o, size_t num, int64_t n)
{
	fill(scratch, o, OUT, num);
	result = n;
	t_write(o, scratch, (int)num);
	moved(o, OUT, n);
}

static void do_read(struct object *o, size_t num, int64_t n)
{
	fill(scratch, o, IN, num);
	result = n;
	t_read(o, scratch, (int)num);
	moved(o, IN, n);
}

static void end_use(struct object *o)
{
	t_free(o);
	o->moved[OUT] = o->moved[IN] = 0;
}

static struct object *const A = objects, *const B = objects + 1;

static void sizes(void)
{
	static const size_t each[] = {1, 127, 128, 129, 255, 256, 257, 512, 513, 1024, 1025, 4096, 4097, 16383, 16384, 16385, 70000};

	for (size_t i = 0; i < sizeof(each) / sizeof(*each); i++) {
		do_write(A, each[i], (int64_t)each[i]);
		do_read(A, each[i], (int64_t)each[i]);
	}
}

static void retries(void)
{
	do_write(A, 100, -1);
	do_write(A, 100, -1);
	do_write(A, 100, 60);
	do_write(A, 40, 40);
	do_read(A, 16384, -1);
	do_read(A, 16384, 0);
	do_read(A, 16384, 5);
}

static void counts(void)
{
	size_t done;

	fill(scratch, A, OUT, 300), result = 300, t_write_ex(A, scratch, 300, &done), moved(A, OUT, 300);
	fill(scratch, A, OUT, 300), result = 0, t_write_ex(A, scratch, 300, &done);
	fill(scratch, A, IN, 300), result = 200, t_read_ex(A, scratch, 300, &done), moved(A, IN, 200);
	fill(scratch, A, OUT, 50), result = 50, t_write_flags(A, scratch, 50, 7, &done), moved(A, OUT, 50);
}

static void record_level(void)
{
	struct span span;
	size_t done;
	_Bool handshake;

	for (int i = 0; i < 2; i++) {
		struct object *o = i ? B : A; /* B has another method table */

		o->method = i ? OTHER_TABLE : OUR_TABLE;
		fill(scratch, o, IN, 1000), result = 1000, t_open(o, &span), moved(o, IN, i ? 0 : 1000);
		result = -1, t_open(o, &span);
		fill(scratch, o, OUT, 500), result = 400, t_seal(o, &handshake, &done, scratch, 500), moved(o, OUT, i ? 0 : 400);
		fill(scratch, o, OUT, 500), result = 300, t_seal_old(o, &handshake, scratch, 500), moved(o, OUT, i ? 0 : 300);
		t_free(o);
	}
}

static char *inner_at;
static void inner_same(void) { size_t done; result = 900; t_read_ex(A, inner_at, 1000, &done); }
static void inner_other(void)
{
	int64_t outer = result;

	fill(scratch + SCRATCH_BYTES / 2, B, IN, 700);
	result = 700;
	t_read(B, scratch + SCRATCH_BYTES / 2, 1000);
	moved(B, IN, 700);
	result = outer;
}

static void nesting(void)
{
	fill(scratch, A, IN, 1000);
	inner_at = scratch;
	inside = inner_same, result = 900, t_read(A, scratch, 1000), moved(A, IN, 900);
	fill(scratch, A, IN, 800);
	inside = inner_other, result = 800, t_read(A, scratch, 1000), moved(A, IN, 800);
}

static void tail_call(void)
{
	size_t done;

	for (int i = 0; i < 3; i++)
		fill(scratch, A, OUT, 100), result = 100, t_write_tail(A, scratch, 100, &done), moved(A, OUT, 100);
}

static void __attribute__((noinline)) read_ex(struct object *o, size_t n)
{
	size_t done;

	fill(scratch, o, IN, n), result = (int64_t)n, t_read_ex(o, scratch, n, &done), moved(o, IN, (int64_t)n);
}

static jmp_buf out_of_call;
static void jump(void) { longjmp(out_of_call, 1); }

static void missed_return(void)
{
	do_read(A, 10, 10);
	if (!setjmp(out_of_call))
		inside = jump, result = 10, t_read(A, scratch, 10);
	A->moved[IN] = 0; /* a new generation starts from 0 */
	do_read(A, 20, 20);
	if (!setjmp(out_of_call))
		inside = jump, result = 10, t_read(A, scratch, 10);
	read_ex(A, 30);
	A->moved[IN] = 0;
	read_ex(A, 40);
}

static void reuse(void)
{
	for (int i = 0; i < 3; i++) {
		do_write(A, 10, 10);
		do_read(A, 20, 20);
		end_use(A);
	}
	do_write(A, 5, 5);
}

static void huge(void)
{
	do_write(A, 9u << 20, 9 << 20);
	do_write(A, 100, 100);
}

static void faults(void)
{
	char *nothing = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	do_write(A, 10, 10);
	result = 30, t_write(A, NULL, 30), moved(A, OUT, 30);
	result = 40, t_write(A, nothing, 40), moved(A, OUT, 40);
	do_write(A, 10, 10);
}

static void odd(void)
{
	size_t done;

	do_write(A, 10, 10);
	result = 11, t_write(A, scratch, 10); /* more than asked for */
	A->moved[OUT] = 0;
	do_write(A, 20, 20);
	result = 5, t_write(A, scratch, -1); /* negative length */
	A->moved[OUT] = 0;
	do_write(A, 30, 30);
	do_read(A, 30, 30);
	result = 5, t_read_ex(A, scratch, 10, (size_t *)8); /* count cannot be read */
	A->moved[OUT] = A->moved[IN] = 0;
	do_write(A, 40, 40);
	(void)done;
}

static int levels;
static void deeper(void)
{
	if (++levels < 9) {
		inside = deeper;
		result = 1;
		t_read(objects + levels, scratch, 10);
	}
}

static void depth(void)
{
	for (int i = 0; i < 9; i++)
		scratch[0] = 0;
	levels = 0;
	inside = deeper, result = 1, t_read(objects, scratch, 10);
}

static void names(void)
{
	char longest[400];

	memset(longest, 'x', sizeof(longest));
	longest[399] = 0;
	t_sni(A, "one.example");
	t_ctrl(A, 55, 0, (void *)"two.example");
	t_ctrl(A, 33, 0, (void *)"no.example");
	t_sni(A, longest);
	t_sni(A, (const char *)8);
	t_sni(A, "");
}

#define TURNS 3000
static void *sender(void *unused)
{
	char bytes[600];

	for (int i = 0; i < TURNS; i++)
		fill(bytes, A, OUT, 600), result = 600, t_write(A, bytes, 600), moved(A, OUT, 600);
	return unused;
}

static void *receiver(void *unused)
{
	char bytes[300];

	for (int i = 0; i < TURNS; i++)
		fill(bytes, A, IN, 300), result = 300, t_read(A, bytes, 300), moved(A, IN, 300);
	return unused;
}

static void both_ways(void)
{
	pthread_t one, two;

	pthread_create(&one, NULL, sender, NULL);
	pthread_create(&two, NULL, receiver, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
}

static void burst(void)
{
	for (int i = 0; i < 200; i++)
		do_write(A, 5000, 5000);
	for (int i = 0; i < 100; i++)
		do_write(A, 10, 10);
	end_use(A);
	for (int i = 1; i < 16; i++) /* so many that their ends do not fit either */
		do_write(objects + i, 1, 1), end_use(objects + i);
}

/* The child's first act is a call; then it becomes another program; the grandchild of a forgotten child is traced too. */
static void family(void)
{
	fflush(stdout);
	if (!fork()) {
		do_write(A, 50, 50);
		execl("/bin/sh", "sh", "-c", "exit 3", NULL);
	}
	wait(NULL);
}

static const struct {
	const char *name;
	void (*run)(void);
} scenarios[] = {
	{"sizes", sizes}, {"retries", retries}, {"counts", counts}, {"record_level", record_level}, {"nesting", nesting},
	{"tail_call", tail_call}, {"missed_return", missed_return}, {"reuse", reuse}, {"huge", huge}, {"faults", faults},
	{"odd", odd}, {"depth", depth}, {"names", names}, {"both_ways", both_ways}, {"burst", burst}, {"family", family},
};

int main(int argc, char **argv)
{
	char line[8];

	scratch = malloc(SCRATCH_BYTES);
	memset(scratch, 0, SCRATCH_BYTES);
	for (int i = 0; i < 16; i++)
		printf("object %d %llu\n", i, (unsigned long long)(uintptr_t)(objects + i));
	printf("table %d\n", (int)((uintptr_t)OUR_TABLE & 0xfff));
	fflush(stdout);
	if (!fgets(line, sizeof(line), stdin))
		return 1;
	for (size_t i = 0; i < sizeof(scenarios) / sizeof(*scenarios); i++)
		if (argc > 1 && !strcmp(argv[1], scenarios[i].name))
			scenarios[i].run();
	for (int i = 0; i < 16; i++)
		printf("moved %d %llu %llu\n", i, (unsigned long long)objects[i].moved[OUT], (unsigned long long)objects[i].moved[IN]);
	return 0;
}
