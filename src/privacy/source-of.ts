// Which context item and which file a place in a prompt came from, by what stands before it: the tags that the editor puts
// around context, and the ways in which it names files. A hint for people: file contents can hold tags of their own.

export interface Source {
  readonly item?: string;
  readonly file?: string;
}

/** So far back is looked: attachments are cut by the editor well below. */
const LOOK_BACK = 64 * 1024;

/** Tags that hold what was read from somewhere; tags of instructions and layout are left out. */
const TAGS =
  'attachment|userRequest|user_query|context|editorContext|environment_info|workspace_info|workspaceFolder|conversation-summary|userMemory|sessionMemory|repoMemory|repository_memories|instructions|file|selection|file-selection|selected-code|currentFile|currentDocument|currentChange|languageServerContext|testsFile|relatedTest|relatedSource|cell-output|notebook-cell-output|codebase|terminal';

const TAG = new RegExp(`<(/?)(${TAGS})(\\s[^<>]{0,800})?>`, 'g');
const FILE_ATTRIBUTE = /(?:filePath|path|file)\s*=\s*\\?"([^"\\]{1,400})/;
/** `File: x`, `// filepath: x`, "```ts path=x", `+++ b/x`. */
const FILE_LINE =
  /(?:^|\n)[^\S\n]*(?:(?:\/\/|#|--|;|<!--)\s*)?(?:(?:[Ff]ile(?:path|[Nn]ame)?|[Pp]ath): ?`?|\+\+\+ b\/|```[\w-]* path=)([^\s`"'<>]{1,400})/g;

interface OpenTag {
  readonly name: string;
  readonly attributes: string;
}

/** Tags that are open at the end of `before`, outermost first. */
function openTags(before: string): OpenTag[] {
  const open: OpenTag[] = [];
  for (const [, slash, name = '', attributes = ''] of before.matchAll(TAG)) {
    if (slash === '') {
      if (!attributes.endsWith('/')) open.push({ name, attributes });
      continue;
    }
    const at = open.findLastIndex((tag) => tag.name === name);
    if (at >= 0) open.length = at;
  }
  return open;
}

function lastFileLine(before: string): string | undefined {
  let last: string | undefined;
  for (const [, file] of before.matchAll(FILE_LINE)) last = file;
  return last;
}

export function sourceOf(text: string, offset: number): Source {
  const before = text.slice(Math.max(0, offset - LOOK_BACK), offset);
  const tag = openTags(before).at(-1);
  const file = FILE_ATTRIBUTE.exec(tag?.attributes ?? '')?.[1] ?? lastFileLine(before);
  return { ...(tag !== undefined && { item: tag.name }), ...(file !== undefined && { file }) };
}
