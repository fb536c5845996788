import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { FileFindings } from '../../../src/capture/discover/findings.ts';
import { type FileSource, openFileSource } from '../../../src/capture/discover/source.ts';
import { Inspector } from '../../../src/capture/live/inspector.ts';

/** Time stands still: a look would be over on a machine that is busy enough. */
let nowMs = 0;
beforeEach(() => void vi.spyOn(performance, 'now').mockImplementation(() => nowMs));
afterEach(() => void vi.restoreAllMocks());

function open(path: string): FileSource {
  const source = openFileSource(path);
  if (!source.ok) throw new Error(source.detail);
  return source.value;
}

/** A thread that answers when told to. */
function fakeThread() {
  const asked: string[] = [];
  const listeners = new Map<string, (value: never) => void>();
  return {
    asked,
    answer: (path: string, findings: FileFindings | null) => listeners.get('message')?.({ path, findings } as never),
    fail: (error: Error) => listeners.get('error')?.(error as never),
    thread: {
      postMessage: (path: string) => void asked.push(path),
      on: (event: string, listener: (value: never) => void) => void listeners.set(event, listener),
      unref: () => {},
      terminate: async () => 0,
    },
  };
}

function inspector(fake = fakeThread()) {
  let answers = 0;
  const warnings: string[] = [];
  const one = new Inspector({
    cache: undefined,
    onAnswer: () => {
      answers += 1;
    },
    log: { warn: (text) => warnings.push(text) },
    startThread: () => fake.thread,
  });
  return { one, fake, warnings, answers: () => answers };
}

const LARGE = process.execPath;
const SMALL = '/bin/sh';
const FILE = { dev: 'fe:01', inode: 1 };

test('while attaching every file is looked into at once', () => {
  const { one, fake } = inspector();
  expect(one.inspect(open(LARGE), LARGE, FILE)?.findings).toBeDefined();
  expect(fake.asked).toEqual([]);
});

test('afterwards large files go to the thread, once each, and the answer is there at the next look', () => {
  const { one, fake, answers } = inspector();
  one.defer();
  one.beginLook();
  expect(one.inspect(open(SMALL), SMALL, FILE)).toEqual(expect.objectContaining({ findings: [] }));
  expect(one.inspect(open(LARGE), LARGE, FILE)).toBeUndefined();
  expect(one.inspect(open(LARGE), `/proc/self/root${LARGE}`, FILE)).toBeUndefined();
  expect([fake.asked, answers()]).toEqual([[LARGE], 0]);
  fake.answer(LARGE, { findings: [] });
  expect([one.inspect(open(LARGE), LARGE, FILE), answers()]).toEqual([{ findings: [] }, 1]);
});

test('a file that had gone when the thread came is asked for again', () => {
  const { one, fake, answers } = inspector();
  one.defer();
  one.beginLook();
  one.inspect(open(LARGE), LARGE, FILE);
  fake.answer(LARGE, null);
  one.inspect(open(LARGE), LARGE, FILE);
  expect([fake.asked, answers()]).toEqual([[LARGE, LARGE], 0]);
});

test('a look has a time limit: what is beyond it waits for the next one', () => {
  const { one } = inspector();
  one.beginLook();
  nowMs += 15;
  expect([one.isPutOff(FILE), one.isPending]).toEqual([false, false]);
  one.defer();
  expect([one.isPutOff(FILE), one.isPending]).toEqual([true, true]);
  one.beginLook();
  expect([one.isPutOff(FILE), one.isPending]).toEqual([false, false]);
});

test('a file that the thread has been asked about is not opened again until the answer', () => {
  const { one, fake } = inspector();
  one.defer();
  one.beginLook();
  one.inspect(open(LARGE), LARGE, FILE);
  expect([one.isPutOff(FILE), one.isPutOff({ ...FILE, inode: 2 })]).toEqual([true, false]);
  fake.answer(LARGE, { findings: [] });
  expect(one.isPutOff(FILE)).toBe(false);
});

test('a thread that fails is told and replaced', () => {
  const { one, fake, warnings } = inspector();
  one.defer();
  one.beginLook();
  one.inspect(open(LARGE), LARGE, FILE);
  fake.fail(new Error('out of memory'));
  one.inspect(open(LARGE), LARGE, FILE);
  expect([warnings, fake.asked.length]).toEqual([['looking into a program file failed: out of memory'], 2]);
});

test('files that may be run soon are looked into ahead, one at a time; small ones and those that are known are not', () => {
  const { one, fake } = inspector();
  one.defer();
  const again = `/proc/self/root${LARGE}`;
  one.lookAhead([SMALL, '/nonexistent', LARGE, again]);
  expect(fake.asked).toEqual([LARGE]);
  fake.answer(LARGE, { findings: [] });
  expect(fake.asked).toEqual([LARGE]);
  expect(one.inspect(open(LARGE), LARGE, FILE)).toEqual({ findings: [] });
});

test('a file that runs already is asked about before those that may', () => {
  const { one, fake } = inspector();
  one.defer();
  one.inspect(open(LARGE), LARGE, FILE);
  one.lookAhead([`/proc/self/root${LARGE}`]);
  expect(fake.asked).toEqual([LARGE]);
  fake.answer(LARGE, null);
  expect(fake.asked).toEqual([LARGE, `/proc/self/root${LARGE}`]);
});
