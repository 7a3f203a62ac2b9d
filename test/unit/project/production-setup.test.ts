import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';
import { loadConfig } from '../../../src/config';
import { PRODUCTION } from '../../support/fixtures/production';
import { readProjectFile } from './project-files';

interface Service {
  readonly image: string;
  readonly build?: object;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly cap_add?: readonly string[];
  readonly privileged?: boolean;
  readonly user?: string;
  readonly security_opt?: readonly string[];
  readonly pids_limit?: number;
  readonly networks?: readonly string[];
  readonly ports?: readonly string[];
  readonly environment: Readonly<Record<string, string | null>>;
}

interface Setup {
  readonly services: Readonly<Record<string, Service>>;
  readonly configs: Readonly<Record<string, { readonly file?: string }>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean } | null>>;
}

const setup = parse(readProjectFile('docker-compose.yml'), { merge: true }) as Setup;
const services = Object.entries(setup.services);
/** The settings that matter only on a developer's machine, and those that the image sets. */
const NOT_IN_CONTAINERS =
  /^(SANDBOX|CODEC_OPEN_ON_LOOPBACK|DATA_DIR|WORKERS|PATH|FAILPOINTS_DIR|SIMULATOR_\w+|POSTGRES_PORT|TEMPORAL_PORT|TEMPORAL_UI_PORT|npm_lifecycle_event)$/;

function service(name: string): Service {
  const found = setup.services[name];
  if (found === undefined) throw new Error(`there is no service ${name}`);
  return found;
}

/** What a container gets when everything is set that must be. */
function environmentOf(name: string): Record<string, string> {
  const values = { ...PRODUCTION, TRUSTED_PROXIES: '1' } as Record<string, string>;
  const entries = Object.entries(service(name).environment).map(([key, value]): [string, string] => [
    key,
    (value ?? '').replace(
      /\$\{(\w+):\?\}/g,
      (_, variable: string) => values[variable] ?? 'https://example.com',
    ),
  ]);
  return Object.fromEntries(entries.filter(([, value]) => value !== ''));
}

/** https://github.com/compose-spec/compose-spec, Apache License 2.0, without the name of JSON Schema's version. */
const COMPOSE_SPEC = 'test/unit/project/compose-spec.json';

describe('docker-compose.yml', () => {
  it('is what the Compose Specification allows, with no other property', () => {
    const ajv = new Ajv({ strict: false });
    addFormats(ajv);
    const isValid = ajv.compile<object>(JSON.parse(readProjectFile(COMPOSE_SPEC)) as object);
    expect([isValid(setup), isValid.errors]).toEqual([true, null]);
    const { postgres, ...others } = setup.services;
    expect(
      isValid({ ...setup, services: { ...others, postgres: { ...postgres, restarts: 'always' } } }),
    ).toBe(false);
  });

  it.each(services)(
    '%s cannot write to its image, gain rights or start processes without end',
    (_, container) => {
      expect(container).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
      expect(container.security_opt).toContain('no-new-privileges:true');
      expect(container.pids_limit).toBeGreaterThan(0);
      expect([container.cap_add, container.privileged, container.user]).not.toContain('root');
      expect([container.cap_add, container.privileged]).toEqual([undefined, undefined]);
    },
  );

  it('pins every image that it does not build by digest, as the Dockerfile does', () => {
    const images = services.filter(([, { build }]) => build === undefined).map(([, { image }]) => image);
    const bases = [...readProjectFile('Dockerfile').matchAll(/^FROM (\S+:\S+)/gm)].map(
      ([, image = '']) => image,
    );
    expect(images).not.toHaveLength(0);
    expect(bases).not.toHaveLength(0);
    for (const image of [...images, ...bases]) expect(image).toMatch(/:[^@]+@sha256:[0-9a-f]{64}$/);
  });

  it('takes configs from files, because inline text cannot be written into a read-only container', () => {
    for (const { file = 'none' } of Object.values(setup.configs)) expect(readProjectFile(file)).not.toBe('');
  });

  it.each(['api', 'worker', 'migrate'])('passes every setting of a deployment on to the %s', (name) => {
    const read = new Set<string>();
    const settings: Record<string, string | undefined> = environmentOf(name);
    loadConfig(
      new Proxy(settings, {
        get: (target, key) => (typeof key === 'string' ? (read.add(key), target[key]) : undefined),
      }),
    );
    const passed = Object.keys(service(name).environment);
    const missing = [...read].filter((key) => !NOT_IN_CONTAINERS.test(key) && !passed.includes(key));
    expect(missing).toEqual([]);
  });

  it('tells the API how many proxies are in front of it, without which it does not start', () => {
    const { TRUSTED_PROXIES: _, ...environment } = environmentOf('api');
    expect(() => loadConfig(environment)).toThrow(/TRUSTED_PROXIES/);
    expect(loadConfig(environmentOf('api')).trustedProxies).toBe(1);
  });

  it('lets nobody write through the Temporal UI, and demands a sign-in', () => {
    expect(service('temporal-ui').environment).toMatchObject({
      TEMPORAL_DISABLE_WRITE_ACTIONS: 'true',
      TEMPORAL_AUTH_ENABLED: 'true',
      TEMPORAL_AUTH_PROVIDER_URL: '${TEMPORAL_UI_OIDC_PROVIDER:?}',
      TEMPORAL_AUTH_CLIENT_ID: '${TEMPORAL_UI_OIDC_CLIENT_ID:?}',
      TEMPORAL_AUTH_CLIENT_SECRET: '${TEMPORAL_UI_OIDC_CLIENT_SECRET:?}',
    });
  });

  it('keeps Postgres and Temporal off every network that leads outside, and publishes ports on loopback only', () => {
    const outside = Object.entries(setup.networks).filter(([, network]) => network?.internal !== true);
    for (const name of ['postgres', 'temporal', 'temporal-schema']) {
      const { networks, ports } = service(name);
      expect(networks).not.toEqual(expect.arrayContaining(outside.map(([network]) => network)));
      expect(ports).toBeUndefined();
    }
    expect(service('temporal-ui').networks).not.toContain('database');
    for (const [, { ports = [] }] of services)
      for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
  });

  it('keeps the simulator on a private network, without ports and without control routes', () => {
    const { networks = [], ports, environment } = service('simulator');
    expect(ports).toBeUndefined();
    expect(networks).toHaveLength(1);
    for (const name of networks) expect(setup.networks[name]).toEqual({ internal: true });
    expect(environment).toMatchObject({
      SIMULATOR_CONTROL_ROUTES: 'false',
      SIMULATOR_CALLBACK_URL: 'http://api:3000/api/v1?mode=test',
    });
  });

  it('gives the owner of the tables to the migrations alone, and the superuser to nobody', () => {
    expect(service('migrate').environment['DATABASE_URL']).toContain('//payments_owner:');
    for (const name of ['api', 'worker']) {
      const environment = JSON.stringify(service(name).environment);
      expect(environment).toContain('//payments_app:');
      expect(environment).not.toMatch(/payments_owner|\{(?:PAYMENTS_OWNER|POSTGRES)_PASSWORD/);
    }
  });

  it('has an example of every variable that it requires', () => {
    const required = [...readProjectFile('docker-compose.yml').matchAll(/\$\{(\w+):\?\}/g)].map(
      ([, name]) => name,
    );
    const examples = [...readProjectFile('.env.example').matchAll(/^(\w+)=/gm)].map(([, name]) => name);
    expect(examples).toEqual(expect.arrayContaining(required));
  });
});
