import { isNeeded, reportKeys, type KeyNeed, type KeyUse } from './application/keys/key-report';
import { rehash } from './application/keys/rehash';
import { rewrap } from './application/keys/rewrap';
import { createAppContext, type AppContext } from './composition/app-context';
import { configuredKeys, createKeyReport } from './composition/secret-keys';
import { loadConfig, type Config } from './config';
import { assertNever } from './domain/shared/assert-never';
import { HashRepository } from './persistence/keys/hash-repository';
import { SealedValueRepository } from './persistence/keys/sealed-value-repository';

const USAGE = `npm run keys                          lists all keys, and what still needs each
npm run keys -- retire SETTING ID     records that nothing needs the key any more, so that it can be removed
npm run keys -- retire SETTING ID --although-needed
npm run rewrap                        encrypts and recognizes with the current keys what older ENCRYPTION_KEYS and
                                      FINGERPRINT_KEYs did`;

/** `npm run keys` and `npm run rewrap`: rotate the service's keys while it runs (docs/key-rotation.md). */
async function main([command = 'list', ...args]: readonly string[]): Promise<void> {
  const config = loadConfig();
  const context = createAppContext(config);
  try {
    if (command === 'rewrap') await rewrapAll(config, context);
    else if (command === 'list') print(await report(config, context));
    else if (command === 'retire') await retire(config, context, args);
    else throw new Error(USAGE);
  } finally {
    await Promise.all([context.db.close(), context.temporal.connection.close()]);
  }
}

function report(config: Config, context: AppContext): Promise<KeyUse[]> {
  return reportKeys(createKeyReport(context), configuredKeys(config));
}

async function rewrapAll({ secrets }: Config, context: AppContext): Promise<void> {
  const { db, envelope, vault } = context;
  const sealedValues = new SealedValueRepository(db);
  await rehash({
    ...context,
    sealedValues,
    hashes: new HashRepository(db),
    fingerprintKeys: secrets.fingerprintKeys,
    report: (records, changed) => console.log(`${records}: ${changed} recognized by the current key`),
  });
  const results = await rewrap({
    sealedValues,
    envelope,
    vault,
    report: ({ column, read, rewrapped }) =>
      console.log(`${column}: ${read} values read, ${rewrapped} rewrapped`),
  });
  const changed = results.reduce((sum, { changedMeanwhile }) => sum + changedMeanwhile, 0);
  console.log(
    changed === 0
      ? 'all values are encrypted with the current key'
      : `${changed} values changed meanwhile: run it again`,
  );
}

async function retire(config: Config, context: AppContext, args: readonly string[]): Promise<void> {
  const [setting, keyId, option] = args;
  const key = (await report(config, context)).find(
    (found) => found.setting === setting && found.keyId === keyId,
  );
  if (key === undefined) throw new Error(`there is no such key\n\n${USAGE}`);
  if (key.role === 'current' || key.need?.kind === 'current')
    throw new Error(`${key.setting} ${key.keyId} makes new values: deploy another key in front of it first`);
  if (isNeeded(key) && option !== '--although-needed')
    throw new Error(`${key.setting} ${key.keyId} is needed: ${describe(key.need)}`);
  await createKeyReport(context).secretKeys.retire(key.setting, key.keyId);
  console.log(`${key.setting} ${key.keyId} can be removed`);
}

function print(keys: readonly KeyUse[]): void {
  for (const key of keys) {
    const advice =
      !isNeeded(key) && key.role === 'accepted' && key.need !== null ? '; it can be retired' : '';
    console.log(`${key.setting} ${key.keyId} (${key.role}): ${describe(key.need)}${advice}`);
  }
}

function describe(need: KeyNeed | null): string {
  if (need === null) return 'not needed';
  switch (need.kind) {
    case 'current':
      return 'makes new values';
    case 'count':
      return `needed by ${need.count} ${need.of}`;
    case 'until':
      return need.over
        ? `was needed until ${need.until.toISOString()}`
        : `needed until ${need.until.toISOString()}`;
    default:
      return assertNever(need);
  }
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
