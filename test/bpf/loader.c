/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Loads the kernel side without the addon, for tests:
 *   loader verify OBJECT                          one line "program instructions" per program, as the verifier counted
 *   loader trace OBJECT RING_BYTES OUT PID FLAGS ATTACH…
 * trace prints "ready", waits for a line on stdin, then drains the ring a last time and prints counters and connections.
 * ATTACH is program:path:symbol:cookie, attached in the order given. OUT receives header and payload of every record.
 * FLAGS: a number; 1 = follow children, 2 = leave the ring alone until the end.
 */
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../bpf/event.h"
#include "../../bpf/tables.h"

#define COUNTER_SLOTS 64

static const char *const counter_names[COUNTER_SLOTS] = {
#define X(id, name, kind, meaning) [id] = #name,
#include "../../bpf/counters.def"
#undef X
};

static int print_warnings(enum libbpf_print_level level, const char *format, va_list args)
{
	return level == LIBBPF_WARN ? vfprintf(stderr, format, args) : 0;
}

static void die(const char *what)
{
	fprintf(stderr, "%s: %s\n", what, strerror(errno));
	exit(1);
}

/* Overwrites one setting of .rodata, found by name in the object's own BTF. */
static void set_setting(struct bpf_object *object, const char *name, __u32 value)
{
	struct btf *btf = bpf_object__btf(object);
	const struct btf_type *section = btf__type_by_id(btf, btf__find_by_name_kind(btf, ".rodata", BTF_KIND_DATASEC));
	struct bpf_map *rodata = bpf_object__find_map_by_name(object, ".rodata");
	size_t size;
	char *bytes = (char *)bpf_map__initial_value(rodata, &size);

	for (int i = 0; i < btf_vlen(section); i++) {
		const struct btf_var_secinfo *info = btf_var_secinfos(section) + i;

		if (!strcmp(btf__name_by_offset(btf, btf__type_by_id(btf, info->type)->name_off), name)) {
			memcpy(bytes + info->offset, &value, sizeof(value));
			return;
		}
	}
	die(name);
}

static struct bpf_object *open_object(const char *path)
{
	struct bpf_object *object = bpf_object__open(path);

	if (!object)
		die(path);
	set_setting(object, "tracer_tgid", getpid());
	return object;
}

static void verify(const char *path, int has_cookie)
{
	struct bpf_object *object = open_object(path);
	struct bpf_program *program;

	set_setting(object, "have_cookie", has_cookie);
	if (bpf_object__load(object))
		die("load");
	bpf_object__for_each_program(program, object) {
		struct bpf_prog_info info = {};
		__u32 size = sizeof(info);

		if (bpf_obj_get_info_by_fd(bpf_program__fd(program), &info, &size))
			die("info");
		printf("%s %u\n", bpf_program__name(program), info.verified_insns);
	}
	bpf_object__close(object);
}

static void attach(struct bpf_object *object, char *spec)
{
	const char *name = strtok(spec, ":"), *path = strtok(NULL, ":"), *symbol = strtok(NULL, ":"), *cookie = strtok(NULL, ":");
	struct bpf_program *program = bpf_object__find_program_by_name(object, name);
	LIBBPF_OPTS(bpf_uprobe_opts, options);

	if (!program)
		die(name);
	if (!path) { /* a raw tracepoint says itself where it belongs */
		if (!bpf_program__attach(program))
			die(name);
		return;
	}
	options.func_name = symbol;
	options.bpf_cookie = strtoull(cookie, NULL, 0);
	options.retprobe = strstr(name, "_exit") != NULL;
	if (!bpf_program__attach_uprobe_opts(program, -1, path, 0, &options))
		die(name);
}

static int write_record(void *out, void *data, size_t size)
{
	const struct tr_record *record = data;
	size_t used = sizeof(*record) + record->len_bytes;

	if (used > size || fwrite(data, used, 1, out) != 1)
		die("record");
	return 0;
}

static void print_counters(struct bpf_object *object)
{
	int cpus = libbpf_num_possible_cpus();
	__u64 (*values)[COUNTER_SLOTS] = calloc(cpus, sizeof(*values));
	__u32 zero = 0;

	if (bpf_map_lookup_elem(bpf_object__find_map_fd_by_name(object, "counters"), &zero, values))
		die("counters");
	for (int id = 0; id < COUNTER_SLOTS; id++) {
		__u64 sum = 0;

		for (int cpu = 0; cpu < cpus; cpu++)
			sum += values[cpu][id];
		if (counter_names[id])
			printf("counter %s %llu\n", counter_names[id], sum);
	}
	free(values);
}

static void print_connections(struct bpf_object *object)
{
	int map = bpf_object__find_map_fd_by_name(object, "connections");
	struct tr_conn_key key, *previous = NULL;
	struct tr_conn conn;

	while (!bpf_map_get_next_key(map, previous, &key)) {
		if (!bpf_map_lookup_elem(map, &key, &conn))
			printf("connection %llu %u %u %llu %llu %u\n", key.ssl, key.pid, conn.generation, conn.out_bytes,
			       conn.in_bytes, conn.flags);
		previous = &key;
	}
}

static int count_threads(struct bpf_object *object)
{
	int map = bpf_object__find_map_fd_by_name(object, "threads"), n = 0;
	__u64 key, *previous = NULL;

	for (; !bpf_map_get_next_key(map, previous, &key); previous = &key)
		n++;
	return n;
}

static void trace(char **args, int count)
{
	struct bpf_object *object = open_object(args[0]);
	FILE *out = fopen(args[2], "wb");
	__u32 pid = atoi(args[3]), flags = atoi(args[4]);
	struct tr_process process = {.start_ns = 1, .flags = flags & 1 ? PROCESS_FOLLOW : 0};
	struct ring_buffer *ring;
	struct pollfd input = {.fd = 0, .events = POLLIN};

	if (!out)
		die(args[2]);
	bpf_map__set_max_entries(bpf_object__find_map_by_name(object, "ring"), atoi(args[1]));
	if (bpf_object__load(object))
		die("load");
	ring = ring_buffer__new(bpf_object__find_map_fd_by_name(object, "ring"), write_record, out, NULL);
	for (int i = 5; i < count; i++)
		attach(object, args[i]);
	if (bpf_map_update_elem(bpf_object__find_map_fd_by_name(object, "processes"), &pid, &process, BPF_ANY))
		die("processes");
	puts("ready");
	fflush(stdout);
	while (poll(&input, 1, 3) == 0)
		if (!(flags & 2))
			ring_buffer__consume(ring);
	ring_buffer__consume(ring);
	print_counters(object);
	print_connections(object);
	printf("threads %d\n", count_threads(object));
	fclose(out);
}

int main(int argc, char **argv)
{
	libbpf_set_print(print_warnings);
	if (argc == 3 && !strcmp(argv[1], "verify"))
		verify(argv[2], 1);
	else if (argc == 3 && !strcmp(argv[1], "verify-without-cookie"))
		verify(argv[2], 0);
	else if (argc > 7 && !strcmp(argv[1], "trace"))
		trace(argv + 2, argc - 2);
	else
		return 2;
	return 0;
}
