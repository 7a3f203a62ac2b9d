import { FetchCharges, type FetchChargesDeps } from '../application/restore/fetch-charges';
import type { ImportCharges } from '../application/restore/import-charges';
import type { Config } from '../config';
import type { GatewaySlug } from '../domain/shared/gateway-slug';
import { GatewayHttp } from '../gateways/http';
import { newGatewayContext } from '../gateways/new-gateway-context';
import { AnswerBuffer } from '../gateways/unrecognized/answer-buffer';
import { UnrecognizedAnswerRepository } from '../persistence/gateways/unrecognized-answer-repository';
import { RestoreListingRepository } from '../persistence/restore/restore-listing-repository';
import type { Database } from '../persistence/sql/transaction';
import { EnvelopeCipher } from '../security/envelope';
import { GatewaySecretCipher } from '../security/gateway-secret-cipher';
import { createRegistries } from './drivers';

/** Any company of the deployment's own data: the platform's account is the same for all. */
const OWN_DATA = 1;

export interface ChargeFetcher {
  readonly fetchCharges: FetchCharges;
  /** Whether the gateway's driver can list changes. */
  canList(slug: GatewaySlug): boolean;
  close(): Promise<void>;
}

/** What `npm run restore -- import --gateway` needs. */
export function createChargeFetcher(
  config: Config,
  db: Database,
  importCharges: ImportCharges,
): ChargeFetcher {
  const registries = createRegistries(config);
  const http = new GatewayHttp();
  const { encryptionKeys, fingerprintKeys } = config.secrets;
  const cipher = new GatewaySecretCipher(new EnvelopeCipher(encryptionKeys), fingerprintKeys);
  const answers = new UnrecognizedAnswerRepository(db);
  const unrecognizedAnswers = new AnswerBuffer(({ answer, count }) => answers.count(answer, count));
  const listPage: FetchChargesDeps['listPage'] = async (slug, secret, query) => {
    const companyId = secret?.companyId ?? OWN_DATA;
    const registry = registries.of(companyId);
    const driver = registry.driver(slug);
    if (driver.listChanges === undefined) throw new Error(`the driver of ${slug} cannot list charges`);
    const account =
      secret === null
        ? registry.platformAccount(slug)
        : { values: await cipher.open({ companyId, slug }, secret), clientId: secret.clientId };
    const context = newGatewayContext(
      { registries, http, unrecognizedAnswers },
      {
        slug,
        ...account,
        // Nothing is changed at the gateway.
        idempotencyKey: '',
        sendBefore: Infinity,
        timeoutMs: config.payments.gatewayTimeoutMs,
        asked: { companyId, operation: 'inquiry', attemptId: null },
      },
    );
    return driver.listChanges(context, query);
  };
  return {
    fetchCharges: new FetchCharges({ listings: new RestoreListingRepository(db), importCharges, listPage }),
    canList: (slug) => {
      const registry = registries.of(OWN_DATA);
      return registry.isConfigured(slug) && registry.driver(slug).listChanges !== undefined;
    },
    close: () => http.close(),
  };
}
