// Finds in libbpf's output what a person should read first: which program was refused, and the verifier's last words.
//
// The output of a refused load holds, per program, `prog 'name': BPF program load failed: Permission denied` and the
// verifier's log between BEGIN and END marks. The log walks through the program; its complaint is at the end, before a
// line of statistics ("processed 12 insns …").

const BEGIN = '-- BEGIN PROG LOAD LOG --';
const END = '-- END PROG LOAD LOG --';
const MAX_LINES = 3;

const isTelling = (line: string): boolean =>
  line.trim() !== '' && !/^(processed \d+ insns|verification time|stack depth|peak_states)/.test(line);

/** The refused program's name with at most three last telling lines; '' when this is not a verifier's refusal. */
export const tellingLines = (log: string): string => {
  const begin = log.lastIndexOf(BEGIN);
  if (begin < 0) return '';
  const end = log.indexOf(END, begin);
  const body = log.slice(begin + BEGIN.length, end < 0 ? undefined : end);
  const lines = body.split('\n').filter(isTelling).slice(-MAX_LINES);
  const program = /prog '([^']+)'/.exec(log.slice(log.lastIndexOf('\n', begin) + 1))?.[1];
  return `program '${program ?? '?'}' was refused: ${lines.map((line) => line.trim()).join('; ')}`;
};
