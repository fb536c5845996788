// A conversation whose prompt cache is broken by a time of day in the system text.
import { Chat, modelList } from './build.mjs';

const RULES = 'You are an expert AI programming assistant, working with a user in the VS Code editor.\nFollow the stand-in rules.\n';
const LONG = Array.from({ length: 40 }, (_, at) => `Rule ${at + 1}: stand-in rules are long, so that a cache is worth having.`).join('\n');

/** @returns {import('./build.mjs').Session} */
export const timestamp = () => {
  const system = (/** @type {string} */ time) => `${RULES}The time is ${time}.\n${LONG}`;
  const chat = new Chat({ wire: 'messages', model: 'claude-sonnet-4.6', requestId: 101, system: system('2026-03-01T14:05:09Z'), tools: ['read_file'] });
  chat.ask('What is a leap second?');
  const steps = [modelList(), chat.step('user', { text: 'A second that is added to UTC.', usage: { input: 2400, cached: 0, output: 12 } })];
  chat.requestId = 102;
  chat.interactionId = 201;
  chat.ask('And when was the last one?');
  steps.push(chat.step('user', { text: 'At the end of 2016.', usage: { input: 2460, cached: 2380, output: 10 } }));
  chat.requestId = 103;
  chat.interactionId = 202;
  chat.system = system('2026-03-01T14:07:41Z');
  chat.ask('Will there be another?');
  steps.push(chat.step('user', { text: 'They are to be given up by 2035.', usage: { input: 2520, cached: 0, output: 14 } }));
  return {
    about:
      'Three turns on the Anthropic Messages wire. The second finds the prompt of the first in the cache; in the third the system text names another time of day, so that nothing after it can be read from the cache.',
    facts: ['3.3 cache', '6.2 cache breakpoints'],
    steps,
  };
};
