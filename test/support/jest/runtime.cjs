'use strict';

const { sep } = require('node:path');
const { compileFunction } = require('node:vm');
const JestRuntime = require('jest-runtime').default;

/** Each module's code is parsed once for each process, and run for each test file. */
const compiled = new Map();

const PACKAGES = `${sep}node_modules${sep}`;

/**
 * Jest gives every test file its own copy of every module. Of our own code that is wanted; packages have nothing to
 * hide, and loading Temporal, Sequelize and the like anew costs each file more than most files' tests do. So packages
 * are loaded once for each process, and all code runs in one realm (see environment.cjs), where an error or a date of a
 * package's making is an Error or a Date to a test.
 */
class SharedPackagesRuntime extends JestRuntime {
  constructor(...args) {
    super(...args);
    const { executor } = this;
    executor.compile = (source, filename) => {
      const known = compiled.get(filename);
      if (known?.source === source) return known.wrapper;
      const wrapper = compileFunction(source, executor.injectedModuleParameters, { filename });
      compiled.set(filename, { source, wrapper });
      return wrapper;
    };
  }

  requireModule(from, moduleName, options, isRequireActual) {
    const isOurs =
      options?.isInternalModule || moduleName === undefined || this._resolution.isCoreModule(moduleName);
    if (isOurs) return super.requireModule(from, moduleName, options, isRequireActual);
    const path = this._resolution.resolveCjs(from, moduleName);
    return path.includes(PACKAGES)
      ? require(path)
      : super.requireModule(from, moduleName, options, isRequireActual);
  }
}

module.exports = { __esModule: true, default: SharedPackagesRuntime };
