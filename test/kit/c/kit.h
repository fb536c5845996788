/*
 * What the C clients of the tests share: connect to the stand-in service over TLS with the system's libssl, wait for the
 * word to go, read one HTTP/1.1 answer. Small on purpose: any failure ends the program with a message and code 1.
 * xorshift32 gives the same bytes as test/kit/service/bytes.mjs.
 */
#ifndef KIT_H
#define KIT_H

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#ifdef KIT_REFERS_TO_METHODS
/* As a profile-guided compiler does that inlines a function which it expects behind a pointer. Static OpenSSL only. */
int ssl3_read(SSL *s, void *buf, size_t len, size_t *readbytes);
int (*volatile kit_expected)(SSL *, void *, size_t, size_t *) = ssl3_read;
#endif

__attribute__((noreturn)) static inline void die(const char *what)
{
	fprintf(stderr, "kit: %s: errno %d\n", what, errno);
	ERR_print_errors_fp(stderr);
	exit(1);
}

static inline void seeded_bytes(uint32_t seed, unsigned char *out, size_t len)
{
	uint32_t x = seed ? seed : 0x9e3779b9u;

	for (size_t i = 0; i < len; i += 4) {
		x ^= x << 13;
		x ^= x >> 17;
		x ^= x << 5;
		for (size_t k = 0; k < 4 && i + k < len; k++)
			out[i + k] = (unsigned char)(x >> (8 * k));
	}
}

/* Says ready on stdout and waits for a line: the tracer attaches in between. */
static inline void wait_for_go(void)
{
	char line[64];

	printf("{\"ready\":true,\"pid\":%d}\n", getpid());
	fflush(stdout);
	if (!fgets(line, sizeof line, stdin))
		exit(3);
}

static inline SSL_CTX *client_context(const char *ca)
{
	SSL_CTX *ctx = SSL_CTX_new(TLS_client_method());

	if (!ctx || SSL_CTX_load_verify_locations(ctx, ca, NULL) != 1)
		die("client context");
	SSL_CTX_set_verify(ctx, SSL_VERIFY_PEER, NULL);
	return ctx;
}

static inline int tcp_connect(int port)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	int one = 1;

	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (fd < 0 || connect(fd, (struct sockaddr *)&to, sizeof to) != 0)
		die("connect");
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
	return fd;
}

static inline SSL *tls_connect(SSL_CTX *ctx, int port)
{
	SSL *ssl = SSL_new(ctx);

	SSL_set_fd(ssl, tcp_connect(port));
	SSL_set_tlsext_host_name(ssl, "localhost");
	if (SSL_connect(ssl) != 1)
		die("SSL_connect");
	return ssl;
}

static inline void tls_close(SSL *ssl)
{
	int fd = SSL_get_fd(ssl);

	SSL_shutdown(ssl);
	SSL_free(ssl);
	close(fd);
}

static inline void write_all(SSL *ssl, const void *bytes, size_t len)
{
	for (size_t at = 0; at < len;) {
		int put = SSL_write(ssl, (const char *)bytes + at, (int)(len - at));

		if (put <= 0)
			die("SSL_write");
		at += (size_t)put;
	}
}

/* Reads until the service closes (requests say Connection: close). Returns the bytes read, head included. */
static inline size_t read_to_end(SSL *ssl)
{
	char buf[16384];
	size_t total = 0;

	for (;;) {
		int got = SSL_read(ssl, buf, sizeof buf);

		if (got <= 0)
			return total;
		total += (size_t)got;
	}
}

/* A POST head that closes the connection after the answer. */
static inline int post_head(char *out, size_t size, const char *path, size_t body_len)
{
	return snprintf(out, size,
			"POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/octet-stream\r\n"
			"Content-Length: %zu\r\nConnection: close\r\n\r\n", path, body_len);
}

static inline int get_head(char *out, size_t size, const char *path)
{
	return snprintf(out, size, "GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", path);
}

#endif
