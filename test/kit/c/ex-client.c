/* SSL_write_ex and SSL_read_ex: uploads 5 MB in pieces of 100,000 bytes. ex-client PORT CA */
#include "kit.h"

enum { BODY_BYTES = 5000000, PIECE_BYTES = 100000 };

static void put(SSL *ssl, const void *bytes, size_t len)
{
	size_t written = 0;

	if (SSL_write_ex(ssl, bytes, len, &written) != 1 || written != len)
		die("SSL_write_ex");
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	SSL_CTX *ctx = client_context(argv[2]);
	unsigned char *body = malloc(BODY_BYTES);
	char head[256], buf[16384];
	size_t got, total = 0;

	seeded_bytes(41, body, BODY_BYTES);
	wait_for_go();
	SSL *ssl = tls_connect(ctx, atoi(argv[1]));

	put(ssl, head, (size_t)post_head(head, sizeof head, "/kit/mirror?ex=1", BODY_BYTES));
	for (size_t at = 0; at < BODY_BYTES; at += PIECE_BYTES)
		put(ssl, body + at, PIECE_BYTES);
	while (SSL_read_ex(ssl, buf, sizeof buf, &got) == 1)
		total += got;
	tls_close(ssl);
	printf("{\"done\":true,\"bytes\":%zu}\n", total);
	return 0;
}
