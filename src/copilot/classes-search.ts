// Rows of the classification table: search and indexing, where whole files leave the machine. Evidence tags are explained in
// docs/classes.md.

import type { ClassRule } from './rule.ts';
import { ANY_OURS, GET, keeps, POST, rule } from './service-rule.ts';

/** Search and indexing. */
export const SEARCH: readonly ClassRule[] = [
  keeps(
    'sent',
    rule(
      'search.code',
      ['dotcom', 'capi'],
      /^\/embeddings\/code\/search$/,
      'S M',
      'medium',
      'semantic search of a repository; carries the prompt',
      POST,
    ),
  ),
  keeps(
    'models',
    rule('models.embeddings', ['dotcom', 'capi'], /^\/embeddings\/models$/, 'S M', 'medium', 'embedding models', GET),
  ),
  keeps(
    'sent',
    rule(
      'search.external',
      ['dotcom', 'capi'],
      /^\/external\/embeddings\/code\/search$/,
      'S',
      'medium',
      'search in an ingested file set',
      POST,
    ),
  ),
  rule(
    'ingest.batch',
    ['dotcom', 'capi'],
    /^\/external\/code\/ingest\/batch$/,
    'S',
    'medium',
    'which documents the index lacks',
    POST,
  ),
  keeps(
    'sent',
    rule(
      'ingest.document',
      ['dotcom', 'capi'],
      /^\/external\/code\/ingest\/document$/,
      'S',
      'medium',
      'uploads a whole file',
      POST,
    ),
  ),
  rule(
    'ingest.finalize',
    ['dotcom', 'capi'],
    /^\/external\/code\/ingest\/finalize$/,
    'S',
    'medium',
    'ends an ingest',
    POST,
  ),
  rule('ingest.create', ['dotcom', 'capi'], /^\/external\/code\/ingest$/, 'S', 'medium', 'begins an ingest', POST),
  rule('ingest.list', ['dotcom', 'capi'], /^\/external\/code\/ingest$/, 'S', 'medium', 'ingested file sets', GET),
  rule('ingest.delete', ['dotcom', 'capi'], /^\/external\/code\/ingest$/, 'S', 'medium', 'deletes a file set', [
    'DELETE',
  ]),
  keeps(
    'sent',
    rule('chunks', ['dotcom', 'capi'], /^\/chunks$/, 'S M', 'medium', 'chunks and embeddings of a whole file', POST),
  ),
  keeps('sent', rule('search.docs', ['capi'], /^\/search\//, 'S', 'medium', 'documentation search', POST)),
  rule(
    'index.trigger',
    ANY_OURS,
    /^\/repos\/[^/]+\/[^/]+\/copilot_internal\/embeddings_index$/,
    'S M',
    'medium',
    'asks GitHub to index a repository',
    POST,
  ),
  rule(
    'index.status',
    ANY_OURS,
    /^\/repos\/[^/]+\/[^/]+\/copilot_internal\/embeddings_index$/,
    'S M',
    'medium',
    'state of the index of a repository',
    GET,
  ),
  rule('search.ado', ['ado'], /^\//, 'S', 'high', 'code search of Azure DevOps'),
];
