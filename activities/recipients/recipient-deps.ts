import type { SubAccountId } from '../../src/domain/shared/ids';
import type { GatewayContext } from '../../src/gateways/gateway';
import type { GatewayHttp } from '../../src/gateways/http';
import { newGatewayContext } from '../../src/gateways/new-gateway-context';
import type { GatewayRegistries } from '../../src/gateways/modes/registries';
import type { UnrecognizedAnswers } from '../../src/gateways/unrecognized/answer-buffer';
import type { RecipientAuthorizationRepository } from '../../src/persistence/gateways/recipient-authorization-repository';
import type {
  SubAccountRepository,
  SubAccountRow,
} from '../../src/persistence/gateways/sub-account-repository';
import type { EnvelopeCipher } from '../../src/security/envelope';
import type { Log } from '../shared/failures';

/** Dependencies of the recipient activities. The worker creates them once. Durations in ms. */
export interface RecipientDeps {
  readonly subAccounts: SubAccountRepository;
  readonly recipientAuthorizations: RecipientAuthorizationRepository;
  readonly registries: GatewayRegistries;
  readonly envelope: EnvelopeCipher;
  readonly http: GatewayHttp;
  readonly unrecognizedAnswers: UnrecognizedAnswers;
  readonly settings: {
    readonly gatewayTimeoutMs: number;
    readonly sendWindowMs: number;
    readonly absenceProvenAfterMs: number;
    /** The service's address as browsers see it. */
    readonly publicBaseUrl: string;
  };
  readonly now: () => Date;
  readonly log: Log;
}

/** How long after its next step the sweeper starts the workflow of a sub-account. */
const RECOVERY_MARGIN_MS = 60_000;

/** Counts a step; `pauseMs` is the time until the next one, null if none is left. */
export async function recordStep(
  deps: RecipientDeps,
  id: SubAccountId,
  pauseMs: number | null,
): Promise<void> {
  const recoverAfter =
    pauseMs === null ? null : new Date(deps.now().getTime() + pauseMs + RECOVERY_MARGIN_MS);
  await deps.subAccounts.recordStep(id, recoverAfter);
}

/** Recipients belong to the platform's account, so its key creates them. The row's id is idempotency key and reference. */
export function recipientContext(
  deps: RecipientDeps,
  row: Pick<SubAccountRow, 'id' | 'companyId' | 'gatewaySlug'>,
  operation: 'create_recipient' | 'find_recipient' | 'authorize_recipient',
  sendBefore: number,
): GatewayContext {
  return newGatewayContext(deps, {
    slug: row.gatewaySlug,
    ...deps.registries.of(row.companyId).platformAccount(row.gatewaySlug),
    idempotencyKey: row.id,
    sendBefore,
    timeoutMs: deps.settings.gatewayTimeoutMs,
    asked: { companyId: row.companyId, operation, attemptId: null },
  });
}
