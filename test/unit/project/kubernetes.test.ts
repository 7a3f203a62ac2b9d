import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { loadConfig } from '../../../src/config';
import { projectRoot } from '../../../src/paths';
import { PRODUCTION } from '../../support/fixtures/production';
import { projectFiles, readProjectFile } from './project-files';

interface Resource {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec?: { readonly template?: { readonly spec: PodSpec } };
  readonly data?: Readonly<Record<string, string>>;
}

interface PodSpec {
  readonly containers: ReadonlyArray<{
    readonly name: string;
    readonly image: string;
    readonly command: string[];
  }>;
}

interface Kustomization {
  readonly resources?: readonly string[];
  readonly components?: readonly string[];
  readonly images?: ReadonlyArray<{ readonly name: string; readonly digest?: string }>;
  readonly nameSuffix?: string;
  readonly labels?: ReadonlyArray<{ readonly pairs: Readonly<Record<string, string>> }>;
}

const FOLDER = 'deploy/kubernetes';
const FOLDERS = ['shared', 'migrate', 'workers', 'promote', 'api'];
const files = projectFiles(`${FOLDER}/*/*.yaml`).filter((file) => !file.endsWith('/kustomization.yaml'));
const resources = files.flatMap((file) =>
  parseAllDocuments(readProjectFile(file)).map((document) => document.toJS() as Resource),
);
const podSpecs = resources.flatMap(({ kind, metadata: { name }, spec }): Array<[string, PodSpec]> =>
  spec?.template === undefined ? [] : [[`${kind} ${name}`, spec.template.spec]],
);

function kustomization(folder: string): Kustomization {
  return parse(readProjectFile(`${FOLDER}/${folder}/kustomization.yaml`)) as Kustomization;
}

/** Checks the resources as Kubernetes' API describes them, unknown fields included. Returns the compiler's messages. */
function typeErrors(checked: readonly Resource[]): string {
  mkdirSync(join(projectRoot, '.data'), { recursive: true });
  // Inside the project, where its dependencies are found.
  const folder = mkdtempSync(join(projectRoot, '.data', 'kubernetes-'));
  try {
    const lines = checked.map((resource, index) => {
      const [group = 'core', version = 'v1'] = resource.apiVersion.includes('/')
        ? resource.apiVersion.replace('.k8s.io', '').split('/')
        : ['core', resource.apiVersion];
      const type = `import('kubernetes-types/${group}/${version}').${resource.kind}`;
      return `export const resource${index}: ${type} = ${JSON.stringify(resource)};`;
    });
    const file = join(folder, 'resources.ts');
    writeFileSync(file, lines.join('\n'));
    const compiler = join(dirname(require.resolve('typescript-native/package.json')), 'bin', 'tsc');
    const flags = ['--noEmit', '--strict', '--ignoreConfig', '--module', 'nodenext', '--types', 'node'];
    return spawnSync(process.execPath, [compiler, ...flags, file], { encoding: 'utf8' }).stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('deploy/kubernetes', () => {
  it('has only resources that Kubernetes knows, with the fields that it knows', () => {
    expect(resources.length).toBeGreaterThan(10);
    expect(typeErrors(resources)).toBe('');
    const unknown = { ...resources[0], unknownField: 1 } as unknown as Resource;
    expect(typeErrors([unknown])).toContain('unknownField');
  });

  it('includes every file, and the release in every folder that runs its image', () => {
    const included = FOLDERS.flatMap((folder) =>
      (kustomization(folder).resources ?? []).map((file) => `${FOLDER}/${folder}/${file}`),
    );
    expect(included.sort()).toEqual([...files].sort());
    for (const folder of FOLDERS.filter((name) => name !== 'shared'))
      expect(kustomization(folder).components).toEqual(['../release']);
  });

  it('pins its image by digest', () => {
    const [image] = kustomization('release').images ?? [];
    expect(image).toMatchObject({ name: 'payment-engine' });
    expect(image?.digest).toMatch(/^sha256:[0-9a-f]{64}$/);
    for (const [, { containers }] of podSpecs)
      for (const container of containers) expect(container.image).toBe('payment-engine');
  });

  it.each(podSpecs)('%s runs without root, without rights and without a writable image', (_, podSpec) => {
    expect(podSpec).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
    });
    expect(podSpec).not.toHaveProperty('hostNetwork');
    for (const container of podSpec.containers) {
      expect(container).toMatchObject({
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
        resources: {
          requests: { cpu: expect.any(String) as string },
          limits: { memory: expect.any(String) as string },
        },
      });
      const program = container.command.find((argument) => argument.startsWith('dist/')) ?? 'none';
      expect(projectFiles(program.replace(/^dist\/(.*)\.js$/, '$1.ts'))).toHaveLength(1);
    }
  });

  it('gives the owner of the tables to the migrations alone', () => {
    const owners = podSpecs.filter(([, podSpec]) => JSON.stringify(podSpec).includes('payment-engine-owner'));
    expect(owners.map(([name]) => name)).toEqual(['Job migrate']);
  });

  it('starts with its settings and the secrets', () => {
    const settings = resources.find(({ kind }) => kind === 'ConfigMap')?.data ?? {};
    const { production, port, temporal } = loadConfig({ ...PRODUCTION, ...settings, BUILD_ID: '1.0.0' });
    expect([production, port, temporal.buildId]).toEqual([true, 3000, '1.0.0']);
  });

  it('names the workers and jobs of each release by its version, also as kubectl renders them where it is installed', () => {
    const versionOf = (folder: string) => Object.values(kustomization(folder).labels?.[0]?.pairs ?? {})[0];
    const version = versionOf('release');
    expect(versionOf('workers')).toBe(version);
    for (const folder of ['migrate', 'workers', 'promote'])
      expect(kustomization(folder).nameSuffix).toBe(`-${version?.replaceAll('.', '-')}`);
    const rendered = render('workers');
    if (rendered === null) return;
    const [worker] = parseAllDocuments(rendered).map((document) => document.toJS() as Resource);
    expect(worker?.metadata.name).toBe('worker-1-0-0');
    expect(worker?.spec?.template?.spec.containers[0]?.image).toMatch(/@sha256:/);
    const all = FOLDERS.flatMap((folder) => parseAllDocuments(render(folder) ?? ''));
    expect(typeErrors(all.map((document) => document.toJS() as Resource))).toBe('');
  });
});

/** Null without kubectl. */
function render(folder: string): string | null {
  try {
    return execFileSync('kubectl', ['kustomize', join(projectRoot, FOLDER, folder)], { encoding: 'utf8' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
