// Content exclusion rules: asked by repository in the query, answered as one element per repository in the same order.

import { listOf, objectOf, readJson } from '../../dialects/index.ts';
import type { ExclusionFacts, ExclusionRule } from '../../model/index.ts';
import { type FactsInput, MAX_LIST, nameOf, namesOf, objectsOf, present } from './read.ts';

export function exclusionFacts({ path, response }: FactsInput): ExclusionFacts {
  const repositories = repositoriesOf(path ?? '');
  const { value } = readJson(response);
  const rules = listOf(value)
    .slice(0, MAX_LIST)
    .flatMap((element, at) =>
      objectsOf(objectOf(element)['rules']).map((rule): ExclusionRule => {
        const source = objectOf(rule['source']);
        const words = [nameOf(source['type']), nameOf(source['name'])].filter((word) => word !== undefined);
        return present({
          repository: repositories[at],
          paths: namesOf(rule['paths']) ?? [],
          ifNoneMatch: namesOf(rule['ifNoneMatch']),
          ifAnyMatch: namesOf(rule['ifAnyMatch']),
          source: words.length === 0 ? undefined : words.join(' '),
        });
      }),
    );
  return {
    facts: 'exclusion',
    ...(repositories.length === 0 ? {} : { repositories }),
    rules: rules.slice(0, MAX_LIST),
  };
}

/** `?repos=a,b` with percent-encoding; how several are separated is not certain: commas, or the name repeated. */
function repositoriesOf(path: string): string[] {
  const query = path.slice(path.indexOf('?') + 1).split('&');
  const values = query.flatMap((pair) => (pair.startsWith('repos=') ? [pair.slice(6)] : []));
  return values
    .flatMap((value) => decoded(value).split(','))
    .filter((name) => name !== '')
    .slice(0, MAX_LIST);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A stray percent sign: as sent.
    return text;
  }
}
