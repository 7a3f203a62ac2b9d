import { dirname } from 'node:path';
import { isGenerated, projectFiles, readProjectFile } from './project-files';

const MAX_LINES = 300;
const MAX_FILES_IN_A_FOLDER = 25;
/** Folders whose files are one list by nature. */
const LONG_FOLDERS = /\/(migrations|models)$/;

const sources = projectFiles('src/**/*.ts', 'src/**/*.tsx', 'workflows/**/*.ts', 'activities/**/*.ts').filter(
  (file) => !isGenerated(file),
);

describe('source files', () => {
  it('have at most 300 lines', () => {
    const tooLong = sources.filter((file) => readProjectFile(file).split('\n').length - 1 > MAX_LINES);
    expect(tooLong).toEqual([]);
  });

  it('share a folder with at most 24 others', () => {
    const files = projectFiles('src/**', 'workflows/**', 'activities/**', 'test/**', 'docs/**');
    const counts = new Map<string, number>();
    for (const file of files) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
    const tooFull = [...counts].filter(
      ([folder, count]) => count > MAX_FILES_IN_A_FOLDER && !LONG_FOLDERS.test(folder),
    );
    expect(tooFull).toEqual([]);
  });

  it('export each type under a name that no other file exports', () => {
    const owners = new Map<string, string[]>();
    // Pages are a program of their own, whose components are named after what they show.
    for (const file of sources.filter((source) => !source.startsWith('src/web/'))) {
      for (const [, name = ''] of readProjectFile(file).matchAll(EXPORTED_TYPE)) {
        owners.set(name, [...(owners.get(name) ?? []), file]);
      }
    }
    expect([...owners].filter(([, files]) => files.length > 1)).toEqual([]);
  });

  it('export nothing called `then`, which would make a module look like a promise', () => {
    const thenables = sources.filter((file) =>
      /^export (async )?(function|const) then\b/m.test(readProjectFile(file)),
    );
    expect(thenables).toEqual([]);
  });
});

const EXPORTED_TYPE = /^export (?:declare )?(?:abstract )?(?:class|interface|type|enum) (\w+)/gm;
