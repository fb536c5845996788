// References of all kinds that a request to a remote agent carries, one of them redacted by the client.
import { Chat } from './build.mjs';

/** @returns {import('./build.mjs').Session} */
export const references = () => {
  const chat = new Chat({ wire: 'chat', model: 'gpt-4.1', requestId: 101, intent: 'conversation-panel', workspace: null });
  chat.user('<prompt>\nReview this selection.\n</prompt>');
  const step = chat.step('user', { text: 'The selection looks good.' });
  const body = JSON.parse(step.request.body ?? '');
  body.copilot_thread_id = 'stand-in-thread';
  body.messages.at(-1).copilot_references = [
    { type: 'client.file', id: 'src/main.ts', data: { language: 'typescript', content: 'export const answer = () => 41;\n' }, is_implicit: true },
    {
      type: 'client.selection',
      id: 'src/main.ts#1',
      data: { start: { line: 0, col: 0 }, end: { line: 0, col: 12 }, content: 'export const' },
      is_implicit: false,
    },
    { type: 'github.repository', id: 'stand-in/app', data: { type: 'repository', name: 'app', ownerLogin: 'stand-in', id: 1 }, is_implicit: true },
    { type: 'github.current-url', id: 'https://github.com/stand-in/app', data: { url: 'https://github.com/stand-in/app' }, is_implicit: true },
    { type: 'github.redacted', id: '.env', data: { type: 'hidden-file' }, is_implicit: true, metadata: { display_name: '.env' } },
  ];
  return {
    about:
      'A question with references of the four usual kinds (file, selection, repository, current URL) and one that the client redacted because its name begins with a dot.',
    facts: ['3.1 copilot_references'],
    steps: [{ ...step, request: { ...step.request, body: JSON.stringify(body) } }],
  };
};
