/*
 * Loads a shared object that holds TLS client and library (threads.c, built as one) after the first word to go, says so, and
 * calls it, which then asks for a second word. With -DWITH_OWN it has TLS of its own, too, and uses that in between.
 * load-late OBJECT PORT CA THREADS CONNECTIONS_EACH
 */
#ifdef WITH_OWN
#include "kit.h"
#else
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#endif
#include <dlfcn.h>

static void await_line(const char *field)
{
	char line[64];

	printf("{\"%s\":true,\"pid\":%d}\n", field, getpid());
	fflush(stdout);
	if (!fgets(line, sizeof line, stdin))
		exit(3);
}

static void use_own(const char *port, const char *ca)
{
#ifdef WITH_OWN
	char head[256];
	SSL *ssl = tls_connect(client_context(ca), atoi(port));

	write_all(ssl, head, (size_t)get_head(head, sizeof head, "/kit/bytes?n=90000&seed=77&own=1"));
	read_to_end(ssl);
	tls_close(ssl);
#else
	(void)port;
	(void)ca;
#endif
}

int main(int argc, char **argv)
{
	if (argc != 6)
		return 2;
	await_line("ready");
	void *object = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
	int (*run)(int, char **) = object ? (int (*)(int, char **))dlsym(object, "kit_main") : NULL;

	if (!run) {
		fprintf(stderr, "kit: %s\n", dlerror());
		return 1;
	}
	await_line("loaded");
	use_own(argv[2], argv[3]);
	return run(argc - 1, argv + 1);
}
