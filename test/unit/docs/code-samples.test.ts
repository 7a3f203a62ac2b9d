import { spawnSync } from 'node:child_process';
import { Script } from 'node:vm';
import { parser as phpParser } from '@lezer/php';
import { parser as pythonParser } from '@lezer/python';
import { OpenApi } from '../../../src/dev/build/docs/openapi';
import { LANGUAGES, sampleRequest, samplesOf } from '../../../src/dev/build/docs/samples';

/* The code samples of the documentation page: each is valid, and says what the contract's example says. */

const api = OpenApi.read();
const samples = api.operations.map((operation) => {
  const request = sampleRequest(api, operation);
  return { id: operation.operationId, request, code: samplesOf(request) };
});

/** The parts of a program that its grammar does not know. */
function syntaxErrors(parser: typeof pythonParser, code: string): string[] {
  const errors: string[] = [];
  parser.parse(code).iterate({
    enter: ({ type, from }) => {
      if (type.isError) errors.push(code.slice(Math.max(0, from - 30), from + 30));
    },
  });
  return errors;
}

it('every operation of the contract has a sample in each language', () => {
  expect(samples.length).toBeGreaterThan(150);
  for (const { code } of samples) {
    expect(LANGUAGES.filter((language) => code[language].length === 0)).toEqual([]);
  }
});

it('every Node sample is valid JavaScript', () => {
  for (const { code } of samples) expect(() => new Script(`(async () => {${code.node}})`)).not.toThrow();
});

it('every Python and PHP sample is accepted by the grammar of its language', () => {
  const found = samples.flatMap(({ id, code }) => [
    ...syntaxErrors(pythonParser, code.python).map((error) => `${id}: ${error}`),
    ...syntaxErrors(phpParser, code.php).map((error) => `${id}: ${error}`),
  ]);
  expect(found).toEqual([]);
  expect(syntaxErrors(pythonParser, 'x = {"a": }')).not.toEqual([]);
  expect(syntaxErrors(phpParser, "<?php f(['a' => ]];")).not.toEqual([]);
});

it('every curl sample sends the method, address, headers and body of the contract, as a shell reads it', () => {
  // A function in place of curl prints its arguments, each ended by a zero byte.
  const script = samples.map(({ code }) => code.curl).join('\n');
  const shell = spawnSync('bash', ['-c', `curl() { printf '%s\\0' "$@"; printf '\\1'; }\n${script}`]);
  expect(shell.stderr.toString()).toBe('');
  const calls = shell.stdout.toString().split('\u0001').slice(0, -1);
  const sent = calls.map((call) => readCurl(call.split('\0').slice(0, -1)));
  expect(sent).toEqual(samples.map(({ request }) => ({ ...request, body: request.body ?? null })));
});

function readCurl(words: readonly string[]) {
  const after = (option: string): string[] => words.filter((_, at) => words[at - 1] === option);
  const [method = 'GET'] = after('--request');
  const [body] = after('--data');
  const url = words.find((word) => word.startsWith('{{base-url}}'));
  const headers = Object.fromEntries(after('--header').map((line) => line.split(/: (.*)/).slice(0, 2)));
  return { method, url, headers, body: body === undefined ? null : (JSON.parse(body) as unknown) };
}
