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
  readonly serviceAccountName: string;
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
  readonly patches?: unknown;
  readonly labels?: ReadonlyArray<{ readonly pairs: Readonly<Record<string, string>> }>;
}

const FOLDER = 'deploy/kubernetes';
const FOLDERS = ['shared', 'migrate', 'workers', 'promote', 'api', 'simulator'];
const BUILD_LABEL = 'payment-engine.example.com/build';
const PODS = `${FOLDER}/pods/pod.yaml`;
const files = projectFiles(`${FOLDER}/*/*.yaml`).filter(
  (file) => !file.endsWith('/kustomization.yaml') && file !== PODS,
);
const forPods = parse(readProjectFile(PODS)) as { readonly spec: object };
/** As they are applied, but for the image's address and the release's names and labels. */
const resources = files
  .flatMap((file) => parseAllDocuments(readProjectFile(file)).map((document) => document.toJS() as Resource))
  .map((resource): Resource =>
    ['Deployment', 'Job'].includes(resource.kind) && resource.metadata.name !== 'simulator'
      ? (merge(resource, { spec: forPods.spec }) as Resource)
      : resource,
  );
const podSpecs = resources.flatMap(({ kind, metadata: { name }, spec }): Array<[string, PodSpec]> =>
  spec?.template === undefined ? [] : [[`${kind} ${name}`, spec.template.spec]],
);

/** What Kubernetes calls a strategic merge: items of lists are merged by their name. The test below compares it with kubectl's. */
function merge(base: unknown, patch: unknown): unknown {
  if (isNamed(base) && isNamed(patch)) {
    const items = [...base, ...patch].map(({ name }) => name);
    const named = (list: readonly Named[], name: string) => list.find((item) => item.name === name);
    return [...new Set(items)].map((name) => merge(named(base, name), named(patch, name)));
  }
  if (!isObject(base) || !isObject(patch)) return patch ?? base;
  const fields = [...new Set([...Object.keys(base), ...Object.keys(patch)])];
  return Object.fromEntries(fields.map((field) => [field, merge(base[field], patch[field])]));
}

type Named = Readonly<Record<'name', string>>;

function isNamed(value: unknown): value is readonly Named[] {
  return Array.isArray(value) && value.every((item) => isObject(item) && typeof item.name === 'string');
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

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

  it('includes every file, and in every folder that runs the image what all pods have, and the release', () => {
    const included = FOLDERS.flatMap((folder) =>
      (kustomization(folder).resources ?? []).map((file) => `${FOLDER}/${folder}/${file}`),
    );
    expect(included.sort()).toEqual([...files].sort());
    for (const folder of FOLDERS.filter((name) => name !== 'shared' && name !== 'simulator'))
      expect(kustomization(folder).components).toEqual(['../pods', '../release']);
    expect(kustomization('pods').patches).toEqual([{ path: 'pod.yaml', target: { kind: 'Deployment|Job' } }]);
  });

  it('pins its images by digest', () => {
    for (const [folder, name] of [
      ['release', 'payment-engine'],
      ['simulator', 'payment-engine-simulator'],
    ] as const) {
      const [image] = kustomization(folder).images ?? [];
      expect(image).toMatchObject({ name });
      expect(image?.digest).toMatch(/^sha256:[0-9a-f]{64}$/);
    }
    for (const [pod, { containers }] of podSpecs) {
      const name = pod === 'Deployment simulator' ? 'payment-engine-simulator' : 'payment-engine';
      for (const container of containers) expect(container.image).toBe(name);
    }
  });

  it('lets only its own pods reach the simulator, which has no control routes', () => {
    const text = readProjectFile(`${FOLDER}/simulator/simulator.yaml`);
    expect(text).toContain("SIMULATOR_CONTROL_ROUTES, value: 'false'");
    expect(text).not.toMatch(/kind: Ingress\n|LoadBalancer|NodePort/);
    const policy = resources.find(
      ({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name === 'simulator',
    );
    expect(policy?.spec).toMatchObject({
      policyTypes: ['Ingress', 'Egress'],
      ingress: [{ from: [{ podSelector: { matchLabels: { 'app.kubernetes.io/name': 'payment-engine' } } }] }],
    });
  });

  it.each(podSpecs)(
    '%s runs without root, without rights and without a writable image',
    (workload, podSpec) => {
      expect(podSpec).toMatchObject({
        serviceAccountName: 'payment-engine',
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
      });
      expect(podSpec).not.toHaveProperty('hostNetwork');
      // A second one would need settings of its own.
      const name = workload === 'Deployment simulator' ? 'simulator' : 'payment-engine';
      expect(podSpec.containers.map((container) => container.name)).toEqual([name]);
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
    },
  );

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
    const applied = all.map((document) => document.toJS() as Resource);
    expect(typeErrors(applied)).toBe('');
    const appliedPods = applied.flatMap(({ spec }) =>
      spec?.template === undefined ? [] : [spec.template.spec],
    );
    expect(appliedPods.map(comparable).sort()).toEqual(podSpecs.map(([, spec]) => comparable(spec)).sort());
  });
});

/** Without the order of fields and named items, the image's address, and the label that tells the workers of releases apart. */
function comparable(spec: PodSpec): string {
  return JSON.stringify(spec, (key, value: unknown) => {
    if (key === 'image') return 'payment-engine';
    if (key === BUILD_LABEL) return undefined;
    if (isNamed(value)) return value.toSorted((one, other) => one.name.localeCompare(other.name));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => one.localeCompare(other)));
  });
}

/** Null without kubectl. */
function render(folder: string): string | null {
  try {
    return execFileSync('kubectl', ['kustomize', join(projectRoot, FOLDER, folder)], { encoding: 'utf8' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
