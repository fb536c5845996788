/*
 * Moves its data as a link-time optimised program does, whose SSL_read and SSL_write are inlined into their callers: through
 * the library's internal functions, while the public ones are linked, exported and hardly called. The head of the request
 * goes through SSL_write, which calls the internal function itself. Static OpenSSL 3.0 only. internal PORT CA
 */
#include "kit.h"

enum { BODY_BYTES = 3000000, PIECE_BYTES = 70000 };

int ssl_read_internal(SSL *s, void *buf, size_t num, size_t *readbytes);
int ssl_write_internal(SSL *s, const void *buf, size_t num, size_t *written);

/* Never called, so that the linker keeps the function. */
int (*volatile kept)(SSL *, void *, int) = SSL_read;

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	SSL_CTX *ctx = client_context(argv[2]);
	unsigned char *body = malloc(BODY_BYTES);
	char head[256], buf[16384];
	size_t done, total = 0;

	seeded_bytes(47, body, BODY_BYTES);
	wait_for_go();
	SSL *ssl = tls_connect(ctx, atoi(argv[1]));

	write_all(ssl, head, (size_t)post_head(head, sizeof head, "/kit/mirror?internal=1", BODY_BYTES));
	for (size_t at = 0; at < BODY_BYTES; at += done) {
		size_t piece = BODY_BYTES - at < PIECE_BYTES ? BODY_BYTES - at : PIECE_BYTES;

		if (ssl_write_internal(ssl, body + at, piece, &done) != 1)
			die("ssl_write_internal");
	}
	while (ssl_read_internal(ssl, buf, sizeof buf, &done) == 1)
		total += done;
	tls_close(ssl);
	printf("{\"done\":true,\"bytes\":%zu}\n", total);
	return 0;
}
