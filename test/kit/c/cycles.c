/* N connections one after the other in one process: the allocator reuses SSL addresses. cycles PORT CA N */
#include "kit.h"

int main(int argc, char **argv)
{
	if (argc != 4)
		return 2;
	SSL_CTX *ctx = client_context(argv[2]);
	int cycles = atoi(argv[3]);
	char head[256], path[64];

	wait_for_go();
	for (int i = 0; i < cycles; i++) {
		SSL *ssl = tls_connect(ctx, atoi(argv[1]));

		snprintf(path, sizeof path, "/kit/bytes?n=%d&seed=%d&i=%d", 100 + i, i + 1, i);
		write_all(ssl, head, (size_t)get_head(head, sizeof head, path));
		read_to_end(ssl);
		tls_close(ssl);
	}
	printf("{\"done\":true,\"cycles\":%d}\n", cycles);
	return 0;
}
