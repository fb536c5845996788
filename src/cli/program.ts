// The whole command line: the table of commands.

import type { Command } from 'commander';
import { provideUnlock } from '../app/index.ts';
import { addAttach } from './attach.ts';
import { addAudit } from './audit.ts';
import { addAuditStore } from './audit-store.ts';
import { addCache } from './cache.ts';
import { addCollect } from './collect.ts';
import { addCompare } from './compare.ts';
import { addContext } from './context.ts';
import { addConversations } from './conversations.ts';
import { addCurl } from './curl.ts';
import { addCut } from './cut.ts';
import { addDoctor } from './doctor.ts';
import { addExport } from './export.ts';
import { addFind } from './find.ts';
import { createFrame } from './frame.ts';
import { addInfo } from './info.ts';
import { addModels } from './models.ts';
import { addOverwriteOption, refuseOverwriting } from './overwriting.ts';
import { unlock } from './passphrase.ts';
import { addPs } from './ps.ts';
import { addReplay } from './replay.ts';
import { addReport } from './report.ts';
import { addRun } from './run.ts';
import { addScrub } from './scrub.ts';
import { addShow } from './show.ts';
import { addTail } from './tail.ts';

type Add = (program: Command) => void;

/** Commands below one heading of the help text. */
const group = (heading: string, adds: readonly Add[]): readonly Add[] =>
  adds.map((add) => (program) => add(program.commandsGroup(heading)));

/** In the order of the help text: what people look for first comes first. */
const COMMANDS = [
  ...group('Capture (as root):', [addAttach, addRun]),
  ...group('Look at a recording:', [addReplay, addConversations, addShow, addModels, addReport]),
  ...group('What went out, and what it cost:', [addContext, addCache, addFind, addCompare, addAudit, addAuditStore]),
  ...group('Files and other tools:', [addInfo, addCut, addScrub, addExport, addCurl]),
  ...group('A fleet, over NATS:', [addTail, addCollect]),
  ...group('This machine:', [addPs, addDoctor]),
];

export function createProgram(): Command {
  provideUnlock(unlock);
  const program = createFrame(COMMANDS).hook('preAction', (_, command) => refuseOverwriting(command));
  for (const command of program.commands) addOverwriteOption(command);
  return program;
}
