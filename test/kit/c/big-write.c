/* One SSL_write of many bytes, head and body in the same call. big-write PORT CA BODY_BYTES */
#include "kit.h"

int main(int argc, char **argv)
{
	if (argc != 4)
		return 2;
	SSL_CTX *ctx = client_context(argv[2]);
	size_t body_len = (size_t)atol(argv[3]);
	unsigned char *request = malloc(body_len + 512);
	int head_len = post_head((char *)request, 512, "/kit/echo?big=1", body_len);

	seeded_bytes(42, request + head_len, body_len);
	wait_for_go();
	SSL *ssl = tls_connect(ctx, atoi(argv[1]));
	int put = SSL_write(ssl, request, (int)((size_t)head_len + body_len));

	if (put != (int)((size_t)head_len + body_len))
		die("one SSL_write of everything");
	size_t total = read_to_end(ssl);

	tls_close(ssl);
	printf("{\"done\":true,\"headBytes\":%d,\"wroteBytes\":%d,\"readBytes\":%zu}\n", head_len, put, total);
	return 0;
}
