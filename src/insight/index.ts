// Door of the room: what a list of calls means together.

export type { Conversation, Grouping, Round, ToolUse, Turn } from './conversation.ts';
export { type CallGrouper, createCallGrouper, groupCalls } from './group.ts';
export { userTextOf } from './user-text.ts';
