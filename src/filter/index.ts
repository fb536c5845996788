// Door of the filter room: the one filter language, for everything that shows or sends events. docs/filters.md is its manual.

export { FIELDS, type FieldRow } from './event-facts.ts';
export { createFilter, type EventFilter, type FilterMistake, isMistake } from './event-filter.ts';
