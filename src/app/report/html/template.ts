// HTML by template: what is filled in is escaped, unless it was made by a template itself. Captured text cannot become markup.

import { visible } from '../../../sinks/index.ts';

/** Markup that was made here. */
export interface Html {
  readonly markup: string;
}

type Filling = string | number | Html | readonly Html[] | undefined;

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Safe as content and inside quoted attributes; control and direction-changing characters are shown, not obeyed. */
export const escapeHtml = (text: string): string => visible(text).replace(/[&<>"']/g, (char) => ESCAPES[char] ?? char);

export function html(parts: TemplateStringsArray, ...fillings: readonly Filling[]): Html {
  const markup = parts.map((part, at) => part + (at < fillings.length ? filled(fillings[at]) : '')).join('');
  return { markup };
}

function filled(value: Filling): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return escapeHtml(value);
  if (typeof value === 'number') return String(value);
  return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('');
}

export const NOTHING: Html = { markup: '' };
