import { expect, test } from 'vitest';
import { UnseenConnections } from '../../../src/capture/live/unseen.ts';

test('connections are told at the first, and again when they have doubled', () => {
  const unseen = new UnseenConnections();
  expect(unseen.note(0)).toBeNull();
  expect(unseen.note(1)).toEqual({ text: '1 connection unseen', isFirst: true });
  expect(unseen.note(1)).toEqual({ text: '1 connection unseen', isFirst: false });
  expect(unseen.note(3)).toEqual({ text: '3 connections unseen', isFirst: false });
  expect(unseen.note(5)).toEqual({ text: '3 connections unseen', isFirst: false });
  expect(unseen.note(6)).toEqual({ text: '6 connections unseen', isFirst: false });
});

test('a process that has gone has none', () => {
  expect(new UnseenConnections().look(4_194_305)).toBeNull();
});
