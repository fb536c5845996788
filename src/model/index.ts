// The words of the house as types. Every room may import this one; it imports nothing.
export type * from './call.ts';
export type * from './events.ts';
export type * from './exchange.ts';
export type * from './exchange-copy.ts';
export * from './finish.ts';
export type * from './fleet.ts';
export * from './http.ts';
export type * from './llm.ts';
export * from './negotiated.ts';
export * from './negotiated-connections.ts';
export type * from './record.ts';
export type * from './service.ts';
