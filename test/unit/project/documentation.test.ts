import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { loadConfig } from '../../../src/config';
import { projectRoot } from '../../../src/paths';
import { projectFiles, readProjectFile } from './project-files';

const pages = projectFiles('**/*.md');
const code = projectFiles(
  'src/**/*.ts',
  'src/**/*.tsx',
  'workflows/**/*.ts',
  'activities/**/*.ts',
  'test/**/*.ts',
  '**/*.yaml',
  '**/*.yml',
  '**/*.cjs',
  'Dockerfile',
);

/** Paths of our own that a text names: `docs/routing.md`, `src/domain/time/instant.ts`, `test/faults`. */
const OWN_PATH = /(?<![\w./@-])((?:docs|src|workflows|activities|test)\/[\w./-]*\w)/g;
/** `dist` mirrors `src`, so paths in it are not looked up. */
const MARKDOWN_LINK = /\]\(([^)\s]+)\)/g;
/** Tells `npm start` that npm is its parent process; not a setting. */
const SET_BY_NPM = 'npm_lifecycle_event';

describe('references', () => {
  it('in code comments name files that exist', () => {
    const broken = code.flatMap((file) =>
      commentsOf(readProjectFile(file))
        .flatMap((comment) => [...comment.matchAll(OWN_PATH)].map(([, path = '']) => path))
        .filter((path) => !resolves(path))
        .map((path) => `${file}: ${path}`),
    );
    expect(broken).toEqual([]);
  });

  it('in code comments do not cite documents outside the project', () => {
    const cited = code.flatMap((file) =>
      commentsOf(readProjectFile(file))
        .filter((comment) => /\((?:decisions|interface|design|specification|spec), /.test(comment))
        .map((comment) => `${file}: ${comment.trim().slice(0, 80)}`),
    );
    expect(cited).toEqual([]);
  });

  it('in pages are links that lead somewhere', () => {
    const broken = pages.flatMap((page) =>
      [...withoutCodeBlocks(readProjectFile(page)).matchAll(MARKDOWN_LINK)]
        .map(([, target = '']) => target)
        .filter((target) => !/^(https?:|mailto:)/.test(target))
        .filter((target) => !leadsSomewhere(page, target))
        .map((target) => `${page}: ${target}`),
    );
    expect(broken).toEqual([]);
  });
});

describe('README.md', () => {
  it('has at most 120 lines', () => {
    expect(readProjectFile('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(120);
  });

  it('names only scripts that package.json has', () => {
    const { scripts } = JSON.parse(readProjectFile('package.json')) as { scripts: Record<string, string> };
    const named = pages.flatMap((page) =>
      [...readProjectFile(page).matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name),
    );
    expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
  });
});

describe('docs/configuration.md', () => {
  it('describes every setting that src/config.ts reads, and no other', () => {
    expect(describedSettings()).toEqual([...settingsRead()].sort());
  });
});

/** Names of settings, by loading the configuration from an empty environment. Gateway 1 to 7 count as gateway n. */
function settingsRead(): Set<string> {
  const names = new Set<string>();
  const record = (name: string | symbol): string | undefined => {
    if (typeof name === 'string') names.add(name.replace(/^(SIMULATOR_)?GATEWAY_\d/, '$1GATEWAY_n'));
    return name === 'SANDBOX' ? 'true' : undefined;
  };
  loadConfig(new Proxy({}, { get: (_, name) => record(name) }));
  names.delete(SET_BY_NPM);
  return names;
}

/** The first column of each table: one setting per row, in code style. */
function describedSettings(): string[] {
  const rows = readProjectFile('docs/configuration.md').matchAll(/^\| *([^|]*?) *\|/gm);
  return [...rows]
    .map(([, cell = '']) => cell)
    .filter((cell) => !/^(Setting|-+)$/.test(cell))
    .map((cell) => /^`(\w+)`$/.exec(cell)?.[1] ?? `not a setting: ${cell}`)
    .sort();
}

function commentsOf(source: string): string[] {
  return source.match(/\/\*[\s\S]*?\*\/|\/\/.*$|^\s*(?:#|--).*$/gm) ?? [];
}

function withoutCodeBlocks(page: string): string {
  return page.replace(/^```[\s\S]*?^```/gm, '');
}

function resolves(path: string): boolean {
  return ['', '.ts', '.tsx', '.md'].some((ending) => existsSync(join(projectRoot, path + ending)));
}

function leadsSomewhere(page: string, target: string): boolean {
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? page : normalize(join(dirname(page), path));
  if (!existsSync(join(projectRoot, file))) return false;
  if (anchor === undefined || !file.endsWith('.md')) return true;
  return anchorsOf(readProjectFile(file)).has(anchor);
}

/** As GitHub makes them of headings. */
function anchorsOf(page: string): Set<string> {
  const headings = [...withoutCodeBlocks(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}
