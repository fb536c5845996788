// Audits of the editor's own record of chats.
export { type AuditStoreResult, type AuditStoreSettings, auditStore, type StoreReport } from './audit-store.ts';
export { storesText } from './text.ts';
