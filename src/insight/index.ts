// Door of the room: what a list of calls means together.

export { type Boot, type BootCall, BootGrouper, STAGES, type Stage } from './boot.ts';
export { type BreakCause, CAUSES, type Comparison } from './cache/compare.ts';
export { CacheLog, type CacheStep } from './cache/log.ts';
export { initiatorOf, isAutoMode, isOtherModel } from './caller.ts';
export { type Compared, Comparer, type Pair, type WireCall } from './compare/compare.ts';
export { type DebugLog, DebugLogReader, type LoggedCall } from './compare/debug-log.ts';
export { type CarryingCall, type Inventory, InventoryBuilder, type KnownItem } from './context/inventory.ts';
export { type LineRange, SOURCE_KINDS, type SourceKind } from './context/item.ts';
export { isAbsolute, isHidden, plainPath } from './context/path.ts';
export {
  byCall,
  byFile,
  byKind,
  type CallRow,
  type FileRow,
  type KindRow,
  type MechanismRow,
} from './context/views.ts';
export type {
  Attempt,
  Compaction,
  Conversation,
  Grouping,
  Helper,
  Loose,
  Round,
  ToolUse,
  Turn,
  TurnRouting,
} from './conversation.ts';
export { CopyFinder } from './copies.ts';
export { LIST_PRICES } from './cost/list-prices.ts';
export { CostLog, type CostRow } from './cost/log.ts';
export { costOf, costOfMiss, type ModelPrice, type PriceTable, priceOf, ratesFor, readPrices } from './cost/prices.ts';
export { type BlindSpot, BlindSpots } from './evidence/blind-spots.ts';
export { type Encodings, fileNeedle, hashNeedle, type Needle, textNeedle } from './evidence/needle.ts';
export { type Hit, Search } from './evidence/search.ts';
export { type CallGrouper, createCallGrouper, groupCalls } from './group.ts';
export { type MemoryUse, memoriesOf, memoryUseOf } from './memory.ts';
export { type ModelUse, type PremiumUse, substitutes } from './model-use.ts';
export {
  type AutoSession,
  type Discovery,
  type Fallback,
  type LimitHit,
  ModelsLog,
  type ModelsReport,
} from './models.ts';
export type { QuotaPoint, QuotaSeries } from './quota.ts';
export type { RouterDecision } from './routing.ts';
export { type StoreQuery, storeQueriesOf, storeQueryOf } from './session-store.ts';
export { BRIEF, copyOf, FULL, type KeptText, NO_TEXTS, type TextLimits } from './texts.ts';
export { type TodoItem, type TodoList, todoChanges, todosOf } from './todo.ts';
export { type CountTokens, type Encoding, TokenMeter, tokenizerOf } from './tokens/count.ts';
export { mcpServerOf, permissionOf, type ToolPermission } from './tools.ts';
export { userTextOf } from './user-text.ts';
