/* Uploads a body in SSL_write calls of a given size, as fast as it goes. upload PORT CA TOTAL_BYTES WRITE_BYTES */
#include "kit.h"

int main(int argc, char **argv)
{
	if (argc != 5)
		return 2;
	SSL_CTX *ctx = client_context(argv[2]);
	size_t total = (size_t)atol(argv[3]), piece = (size_t)atol(argv[4]);
	unsigned char *bytes = malloc(piece);
	char head[256];

	seeded_bytes(44, bytes, piece);
	wait_for_go();
	SSL *ssl = tls_connect(ctx, atoi(argv[1]));

	write_all(ssl, head, (size_t)post_head(head, sizeof head, "/kit/echo?upload=1", total));
	for (size_t at = 0; at < total; at += piece)
		write_all(ssl, bytes, piece < total - at ? piece : total - at);
	read_to_end(ssl);
	tls_close(ssl);
	printf("{\"done\":true,\"bytes\":%zu}\n", total);
	return 0;
}
