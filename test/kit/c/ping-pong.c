/*
 * Rounds of SSL_write, SSL_read, SSL_write, SSL_read between two TLS ends on a socket pair in one thread: four library calls
 * per round and nothing else, for measuring what a probe adds. ping-pong CERT KEY MESSAGE_BYTES
 * Each line on stdin is a number of rounds; prints {"ns":N,"cpuNs":N} for all of them. The rounds of one line are the chunks of one
 * HTTP/1.1 exchange, so that a tracer has something to follow and does not stop copying.
 */
#include "kit.h"
#include <fcntl.h>
#include <time.h>

static uint64_t now_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void read_whole(SSL *ssl, char *buf, int len)
{
	for (int at = 0; at < len;) {
		int got = SSL_read(ssl, buf + at, len - at);

		if (got <= 0)
			die("SSL_read");
		at += got;
	}
}

/* Both ends shake hands in turns, without blocking; afterwards they block. */
static void shake_hands(SSL *client, SSL *server, const int fd[2])
{
	for (int i = 0; i < 2; i++)
		fcntl(fd[i], F_SETFL, O_NONBLOCK);
	for (int turn = 0; turn < 1000 && !(SSL_is_init_finished(client) && SSL_is_init_finished(server)); turn++) {
		SSL_do_handshake(client);
		SSL_do_handshake(server);
	}
	if (!SSL_is_init_finished(client) || !SSL_is_init_finished(server))
		die("handshake");
	for (int i = 0; i < 2; i++)
		fcntl(fd[i], F_SETFL, 0);
}

/* One chunk of HTTP/1.1 chunked coding (RFC 9112 7.1) that takes exactly len bytes. */
static void make_chunk(char *out, int len)
{
	int data = len - 4, head;

	do
		head = snprintf(NULL, 0, "%x\r\n", --data);
	while (head + data + 2 > len);
	memset(out, 'x', (size_t)len);
	memcpy(out + snprintf(out, (size_t)len, "%x\r\n", data), "x", 1);
	memcpy(out + len - 2, "\r\n", 2);
	if (head + data + 2 != len)
		die("message size");
}

static void send_text(SSL *from, SSL *to, const char *text)
{
	char buf[256];

	write_all(from, text, strlen(text));
	read_whole(to, buf, (int)strlen(text));
}

int main(int argc, char **argv)
{
	if (argc != 4)
		return 2;
	SSL_CTX *server_ctx = SSL_CTX_new(TLS_server_method()), *client_ctx = client_context(argv[1]);
	int len = atoi(argv[3]), fd[2];
	char *chunk = malloc((size_t)len), *buf = malloc((size_t)len), line[64];

	if (SSL_CTX_use_certificate_file(server_ctx, argv[1], SSL_FILETYPE_PEM) != 1 ||
	    SSL_CTX_use_PrivateKey_file(server_ctx, argv[2], SSL_FILETYPE_PEM) != 1)
		die("server context");
	SSL_CTX_set_num_tickets(server_ctx, 0);
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, fd) != 0)
		die("socketpair");
	SSL *client = SSL_new(client_ctx), *server = SSL_new(server_ctx);

	SSL_set_fd(client, fd[0]);
	SSL_set_fd(server, fd[1]);
	SSL_set_connect_state(client);
	SSL_set_accept_state(server);
	shake_hands(client, server, fd);
	printf("{\"ready\":true,\"pid\":%d}\n", getpid());
	fflush(stdout);
	make_chunk(chunk, len);
	while (fgets(line, sizeof line, stdin)) {
		int rounds = atoi(line);

		send_text(client, server, "POST /ping HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n");
		send_text(server, client, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
		uint64_t begin = now_ns(CLOCK_MONOTONIC), cpu_begin = now_ns(CLOCK_THREAD_CPUTIME_ID);

		for (int i = 0; i < rounds; i++) {
			write_all(client, chunk, (size_t)len);
			read_whole(server, buf, len);
			write_all(server, chunk, (size_t)len);
			read_whole(client, buf, len);
		}
		uint64_t cpu = now_ns(CLOCK_THREAD_CPUTIME_ID) - cpu_begin, took = now_ns(CLOCK_MONOTONIC) - begin;

		send_text(client, server, "0\r\n\r\n");
		send_text(server, client, "0\r\n\r\n");
		printf("{\"ns\":%llu,\"cpuNs\":%llu}\n", (unsigned long long)took, (unsigned long long)cpu);
		fflush(stdout);
	}
	return 0;
}
