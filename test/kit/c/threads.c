/* Several threads, each with its own connections at the same time. threads PORT CA THREADS CONNECTIONS_EACH */
#include "kit.h"
#include <pthread.h>

static SSL_CTX *ctx;
static int port, connections;

static void *work(void *arg)
{
	int self = (int)(intptr_t)arg;
	char head[256], path[80];

	for (int i = 0; i < connections; i++) {
		SSL *ssl = tls_connect(ctx, port);

		snprintf(path, sizeof path, "/kit/bytes?n=%d&seed=%d&thread=%d&i=%d", 40000 + 100 * self + i, 1 + self * 1000 + i, self, i);
		write_all(ssl, head, (size_t)get_head(head, sizeof head, path));
		read_to_end(ssl);
		tls_close(ssl);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	if (argc != 5)
		return 2;
	int count = atoi(argv[3]);
	pthread_t *threads = calloc((size_t)count, sizeof *threads);

	ctx = client_context(argv[2]);
	port = atoi(argv[1]);
	connections = atoi(argv[4]);
	wait_for_go();
	for (int i = 0; i < count; i++)
		if (pthread_create(&threads[i], NULL, work, (void *)(intptr_t)i) != 0)
			die("pthread_create");
	for (int i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	printf("{\"done\":true,\"connections\":%d}\n", count * connections);
	return 0;
}
