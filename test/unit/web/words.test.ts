import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { DECLINE_CODES } from '../../../src/domain/payments/decline-codes';
import { projectRoot } from '../../../src/paths';
import { PORTUGUESE_DECLINES } from '../../../src/web/dashboard/overview/portuguese-declines';
import { englishTexts } from '../../web/support/language';

const FOLDER = join(projectRoot, 'src', 'web');

/** Every file with messages in two languages, or with those of one. */
const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => ({ name, text: readFileSync(join(FOLDER, name), 'utf8') }))
  .filter(({ name, text }) => /catalogue\(\{/.test(text) || /messages-(?:en|pt)\.ts$/.test(name));

/** The words of a piece of code: its strings, and its templates without their parameters. */
function wordsOf(code: string): string[] {
  return [...code.matchAll(/'((?:[^'\\\n]|\\.)*)'|`([^`]*)`/g)].map(([, text, template]) =>
    (text ?? template ?? '').replaceAll(/\$\{[^}]*\}/g, '…'),
  );
}

/** The Portuguese half of each catalogue in a file. */
function portugueseOf({ name, text }: (typeof files)[number]): string {
  if (name.endsWith('messages-pt.ts')) return text;
  return [...text.matchAll(/^  pt: \{(?:[^\n]*\},?$|[^\n]*(?:\n(?!  \},?$)[^\n]*)*)/gm)]
    .map(([part]) => part)
    .join('\n');
}

function avoidedWords(): string[] {
  const rows = readFileSync(join(FOLDER, 'glossary.md'), 'utf8').split('\n');
  const cells = rows.filter((row) => row.startsWith('| ')).slice(1);
  return cells
    .flatMap((row) => (row.split('|')[4] ?? '').split(','))
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

describe('the words of the pages', () => {
  it('are Portuguese in every Portuguese message', () => {
    const portuguese = files.map((file) => ({ name: file.name, words: wordsOf(portugueseOf(file)) }));
    expect(portuguese.filter(({ words }) => words.length > 0).length).toBeGreaterThan(20);
    const english = portuguese.flatMap(({ name, words }) =>
      englishTexts(words).map((text) => `${relative('.', name)}: ${text}`),
    );
    expect(english).toEqual([]);
  });

  it('are the terms of the glossary and not those that it rules out', () => {
    const avoided = new Set(avoidedWords());
    expect(avoided.size).toBeGreaterThan(10);
    const used = files.flatMap(({ name, text }) =>
      wordsOf(text)
        .filter((word) => avoided.has(word))
        .map((word) => `${name}: ${word}`),
    );
    expect(used).toEqual([]);
  });

  it('tell the meaning of every decline code in Portuguese', () => {
    const meanings = Object.values(DECLINE_CODES).map(({ message }) => message);
    expect(Object.keys(PORTUGUESE_DECLINES).sort()).toEqual([...new Set([...meanings, 'declined'])].sort());
  });
});
