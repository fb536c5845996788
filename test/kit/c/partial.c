/*
 * A non-blocking client with partial writes: SSL_write returns fewer bytes than asked, or -1 with WANT_WRITE and is called
 * again with the same buffer. A small send buffer makes both happen. partial PORT CA
 */
#include "kit.h"
#include <fcntl.h>
#include <poll.h>

enum { BODY_BYTES = 3000000, SEND_BUFFER = 4608 };

static int retries, partials;

/* Waits for what the library asked for; 0 means a real end. */
static int wait_wanted(SSL *ssl, int ret)
{
	int error = SSL_get_error(ssl, ret);
	struct pollfd p = { .fd = SSL_get_fd(ssl), .events = error == SSL_ERROR_WANT_WRITE ? POLLOUT : POLLIN };

	if (error != SSL_ERROR_WANT_WRITE && error != SSL_ERROR_WANT_READ)
		return 0;
	return poll(&p, 1, 10000) == 1;
}

static void put_all(SSL *ssl, const unsigned char *bytes, size_t len)
{
	for (size_t at = 0; at < len;) {
		int put = SSL_write(ssl, bytes + at, (int)(len - at));

		if (put > 0) {
			partials += (size_t)put < len - at;
			at += (size_t)put;
			continue;
		}
		retries++;
		if (!wait_wanted(ssl, put))
			die("SSL_write");
	}
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	SSL_CTX *ctx = client_context(argv[2]);
	unsigned char *body = malloc(BODY_BYTES);
	int small = SEND_BUFFER, got;
	char head[256], buf[16384];
	size_t total = 0;

	seeded_bytes(43, body, BODY_BYTES);
	wait_for_go();
	SSL *ssl = tls_connect(ctx, atoi(argv[1]));

	SSL_set_mode(ssl, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
	setsockopt(SSL_get_fd(ssl), SOL_SOCKET, SO_SNDBUF, &small, sizeof small);
	fcntl(SSL_get_fd(ssl), F_SETFL, O_NONBLOCK);
	put_all(ssl, (unsigned char *)head, (size_t)post_head(head, sizeof head, "/kit/mirror?partial=1", BODY_BYTES));
	put_all(ssl, body, BODY_BYTES);
	while ((got = SSL_read(ssl, buf, sizeof buf)) > 0 || wait_wanted(ssl, got))
		total += got > 0 ? (size_t)got : 0;
	tls_close(ssl);
	printf("{\"done\":true,\"retries\":%d,\"partials\":%d,\"bytes\":%zu}\n", retries, partials, total);
	return 0;
}
