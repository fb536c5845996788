// Prints model and tokens of every LLM call of a fleet: node consumer.mjs [nats://127.0.0.1:4222]
// npm install @nats-io/transport-node@3.3.1 protobufjs; events.proto is src/sinks/proto/events.proto of the tracer.
import { connect } from '@nats-io/transport-node';
import protobuf from 'protobufjs';

const proto = process.env.TRACER_PROTO ?? 'events.proto';
const Event = (await protobuf.load(proto)).lookupType('tracer.v1.Event');
const nats = await connect({ servers: process.argv[2] ?? 'nats://127.0.0.1:4222' });

for await (const message of nats.subscribe('tracer.v1.*.*.call')) {
  if (message.headers?.has('Tracer-Part')) continue; // a part of a very large call: join them, or leave them out
  const isJson = message.headers?.get('Content-Type') === 'application/json';
  const event = isJson ? message.json() : Event.toObject(Event.decode(message.data), { longs: Number });
  const call = isJson ? event.type === 'call' && event : event.call; // the other one is call.started
  if (!call?.llm) continue;
  const [, , host, user] = message.subject.split('.').map(decodeURIComponent);
  const { input = 0, output = 0 } = call.llm.usage ?? {};
  console.log(`${event.time} ${user}@${host} ${call.class} ${call.llm.model} ${input}+${output} tokens`);
}
