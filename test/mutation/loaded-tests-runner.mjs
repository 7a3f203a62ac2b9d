import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { relative, resolve } from 'node:path';

/**
 * A test runner for Stryker that loads all unit tests once and runs them again for each mutant, fastest first, until one
 * fails. Jest itself starts anew for each mutant and runs every test that reaches it: 100 times slower on these tests.
 */
const require = createRequire(resolve('package.json'));
const { transformSync } = require('@swc/core');
const each = require('jest-each');
const fastCheck = require('fast-check');
const { jest } = require('./package.json');

/** Uses Jest's own module registry. */
const NEEDS_JEST = /\bjest\./u;

class LoadedTestsRunner {
  static inject = ['options'];
  #options;
  #tests = [];
  #ends = [];
  #millis = new Map();
  #kills = new Map();

  /** `loadedTests`: the path of a test file matches `files`; `setup` and `teardown` are Jest's global ones. */
  constructor({ loadedTests }) {
    this.#options = loadedTests;
  }

  capabilities() {
    return { reloadEnvironment: false };
  }

  async init() {
    compileTypeScript();
    fastCheck.configureGlobal({ endOnFailure: true });
    process.env.ONE_TEST_DATABASE = 'true';
    const { files, setup } = this.#options;
    if (setup !== undefined) await require(resolve(setup)).default();
    const wanted = readdirSync('test', { recursive: true })
      .map((name) => `test/${name}`)
      .filter((path) => path.endsWith('.test.ts') && new RegExp(files, 'u').test(path));
    for (const path of wanted.sort()) {
      if (NEEDS_JEST.test(readFileSync(path, 'utf8'))) continue;
      const { tests, ends } = testsOf(resolve(path));
      this.#tests.push(...tests);
      this.#ends.push(...ends);
    }
  }

  async dispose() {
    for (const end of this.#ends) await end();
    const { teardown } = this.#options;
    if (teardown !== undefined) await require(resolve(teardown)).default();
  }

  async dryRun() {
    const tests = [];
    for (const test of this.#tests) {
      globalThis.__stryker__.currentTestId = test.id;
      tests.push(await this.#run(test));
    }
    globalThis.__stryker__.currentTestId = undefined;
    return { status: 'complete', tests, mutantCoverage: globalThis.__stryker__.mutantCoverage };
  }

  async mutantRun({ activeMutant, testFilter, hitLimit }) {
    const wanted = new Set(testFilter);
    const kills = this.#kills.get(activeMutant.fileName) ?? new Map();
    this.#kills.set(activeMutant.fileName, kills);
    const costOf = ({ id }) => (this.#millis.get(id) ?? 0) / (1 + (kills.get(id) ?? 0));
    const tests = this.#tests.filter(({ id }) => wanted.has(id)).sort((a, b) => costOf(a) - costOf(b));
    Object.assign(globalThis.__stryker__, { activeMutant: activeMutant.id, hitLimit, hitCount: 0 });
    try {
      for (const [index, test] of tests.entries()) {
        const { status, failureMessage, isPrepared } = await this.#run(test);
        if (!isPrepared) return { status: 'error', errorMessage: failureMessage };
        const { hitCount } = globalThis.__stryker__;
        if (hitCount > hitLimit) return { status: 'timeout', reason: `${hitCount} hits` };
        if (status === FAILED) {
          kills.set(test.id, (kills.get(test.id) ?? 0) + 1);
          return { status: 'killed', killedBy: [test.id], failureMessage, nrOfTests: index + 1 };
        }
      }
      return { status: 'survived', nrOfTests: tests.length };
    } finally {
      globalThis.__stryker__.activeMutant = undefined;
    }
  }

  async #run({ id, file, prepare, steps }) {
    const startedAt = performance.now();
    let failureMessage;
    let isPrepared = false;
    try {
      await prepare();
      isPrepared = true;
      for (const step of steps()) await step();
    } catch (error) {
      failureMessage = String(error?.stack ?? error);
    }
    const timeSpentMs = performance.now() - startedAt;
    if (failureMessage === undefined) this.#millis.set(id, timeSpentMs);
    const status = failureMessage === undefined ? SUCCESS : FAILED;
    return { id, name: id, fileName: file, timeSpentMs, status, failureMessage, isPrepared };
  }
}

const SUCCESS = 0;
const FAILED = 1;

/** The tests that a file defines, each with its hooks, and what ends them all. */
function testsOf(file) {
  const tests = [];
  const ends = [];
  const name = relative(resolve('test'), file).replace(/^unit.|\.test\.ts$/gu, '');
  let block = { title: '', before: [], after: [], all: [], parent: undefined };
  const it = (title, run) => {
    const blocks = [];
    for (let around = block; around; around = around.parent) blocks.unshift(around);
    const titles = [...blocks.map((each) => each.title).filter(Boolean), title];
    const prepare = () => withoutMutant(() => runOnce(blocks.flatMap(({ all }) => all)));
    const steps = () => [
      ...blocks.flatMap(({ before }) => before),
      run,
      ...blocks.flatMap(({ after }) => after),
    ];
    tests.push({ id: `${titles.join(' ')} [${name}]`, file, prepare, steps });
  };
  const describe = (title, define) => {
    block = { title, before: [], after: [], all: [], parent: block };
    define();
    block = block.parent;
  };
  it.each = each.bind(it, false);
  describe.each = each.bind(describe, false);
  Object.assign(globalThis, {
    it,
    test: it,
    describe,
    beforeAll: (run) => block.all.push({ run, isDone: false }),
    beforeEach: (run) => block.before.push(run),
    afterEach: (run) => block.after.push(run),
    afterAll: (run) => ends.push(run),
    expect: require('expect').expect,
  });
  require(file);
  return { tests, ends };
}

/** One that fails, because the machine is busy for example, kills no mutant, and runs again for the next test. */
async function runOnce(hooks) {
  for (const hook of hooks) {
    if (!hook.isDone) await hook.run();
    hook.isDone = true;
  }
}

async function withoutMutant(work) {
  const { activeMutant } = globalThis.__stryker__;
  globalThis.__stryker__.activeMutant = undefined;
  try {
    await work();
  } finally {
    globalThis.__stryker__.activeMutant = activeMutant;
  }
}

/** Compiles as Jest does. */
function compileTypeScript() {
  const [, options] = Object.values(jest.transform)[0];
  require.extensions['.ts'] = (module, filename) => {
    const { code } = transformSync(readFileSync(filename, 'utf8'), { ...options, filename, swcrc: false });
    module._compile(code, filename);
  };
}

export const strykerValidationSchema = { properties: { loadedTests: { type: 'object' } } };
export const strykerPlugins = [{ kind: 'TestRunner', name: 'loaded', injectableClass: LoadedTestsRunner }];
