'use strict';

const { join, sep } = require('node:path');
const { compileFunction } = require('node:vm');
const JestRuntime = require('jest-runtime').default;

/** Each module's code is parsed once for each process, and run for each test file. */
const compiled = new Map();

const ROOT = join(__dirname, '..', '..', '..');

/** Our modules that all test files of a process share: the service, and what is expensive to make for each file. */
const SHARED = [
  ...['src', 'workflows', 'activities'],
  ...['test/api/support/contract', 'test/support/stack/workflow-threads'],
].map((path) => join(ROOT, path));

const isShared = (path) => SHARED.some((start) => path.startsWith(start));

/** The exports of the shared modules. */
const loaded = new Map();

/** The runtime of the test file that runs now. */
let current;

const PACKAGES = `${sep}node_modules${sep}`;

/**
 * Jest gives every test file its own copy of every module. Loading and optimizing the service and its packages anew costs
 * most files more than their tests do, so both are loaded once for each process, as in production. What tests share is
 * not isolated; each has its own engine, database and task queue instead. All code runs in one realm (see
 * environment.cjs), where an error or a date of a package's making is an Error or a Date to a test.
 */
class SharedModulesRuntime extends JestRuntime {
  constructor(...args) {
    super(...args);
    current = this;
    const { executor } = this;
    executor.compile = (source, filename) => {
      const known = compiled.get(filename);
      if (known?.source === source) return known.wrapper;
      const wrapper = compileFunction(source, executor.injectedModuleParameters, { filename });
      compiled.set(filename, { source, wrapper });
      return wrapper;
    };
  }

  /** A shared module may load another one late, when the test file that loaded it first has ended. */
  requireModuleOrMock(from, moduleName) {
    if (this !== current && isShared(from)) return current.requireModuleOrMock(from, moduleName);
    return super.requireModuleOrMock(from, moduleName);
  }

  requireModule(from, moduleName, options, isRequireActual) {
    const isOurs =
      options?.isInternalModule || moduleName === undefined || this._resolution.isCoreModule(moduleName);
    if (isOurs) return super.requireModule(from, moduleName, options, isRequireActual);
    const path = this._resolution.resolveCjs(from, moduleName);
    if (path.includes(PACKAGES)) return require(path);
    if (!isShared(path) || this.registries.isolation !== null)
      return super.requireModule(from, moduleName, options, isRequireActual);
    if (!loaded.has(path)) loaded.set(path, super.requireModule(from, moduleName, options, isRequireActual));
    return loaded.get(path);
  }
}

module.exports = { __esModule: true, default: SharedModulesRuntime };
