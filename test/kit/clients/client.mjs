// The frame of every generic client: options, an optional warm connection before the tracer comes, the workload, the results.
//
//   node <client>.mjs --port N --ca FILE --workload NAME [--warm] [--h2] [--rounds N]
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { leave, say, waitForGo } from './go.mjs';
import { runWorkload, WORKLOADS } from './workload.mjs';

const { values } = parseArgs({
  options: {
    port: { type: 'string' },
    ca: { type: 'string' },
    workload: { type: 'string', default: 'one' },
    warm: { type: 'boolean', default: false },
    h2: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '1' },
  },
});

/** @typedef {import('./workload.mjs').Request} Request */
/** @typedef {{ status: number, bytes: number, sha256: string }} Result */
/** @typedef {{ send: (request: Request) => Promise<Result>, close: () => Promise<void> }} Client */

/** @param {(options: { port: number, ca: Buffer, origin: string, allowH2: boolean, parallel: number }) => Client} open */
export async function runClient(open) {
  const workload = WORKLOADS[values.workload]();
  const port = Number(values.port);
  const client = open({
    port,
    ca: readFileSync(String(values.ca)),
    origin: `https://127.0.0.1:${port}`,
    allowH2: values.h2,
    parallel: workload.parallel,
  });
  if (values.warm) await client.send({ method: 'GET', path: '/kit/bytes?n=10&seed=99' });
  await waitForGo({ isWarm: values.warm });
  const results = [];
  for (let round = 0; round < Number(values.rounds); round++)
    results.push(...(await runWorkload(workload, client.send)));
  await client.close();
  say({ done: true, results });
  leave();
}
