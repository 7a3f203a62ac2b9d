import { recipientPauseMs } from '../../src/domain/routing/subaccount';
import type { SubAccountInformation } from '../../src/domain/routing/subaccount-information';
import { GatewayError } from '../../src/gateways/errors';
import type { GatewayDriver } from '../../src/gateways/gateway';
import type { KnownRecipient, Recipient } from '../../src/gateways/recipient';
import type { SubAccountRow } from '../../src/persistence/gateways/sub-account-repository';
import { encryptionContext } from '../../src/security/encryption-context';
import type { RecipientInput, RecipientStep } from '../../workflows/messages';
import { reportFailures } from '../shared/failures';
import { withHeartbeat } from '../shared/heartbeat';
import { advanceAuthorization } from './recipient-authorization';
import { recipientContext, recordStep, type RecipientDeps } from './recipient-deps';

/** The activities of a sub-account's workflow. Each can be retried after a crash at any line. */
export function createRecipientActivities(deps: RecipientDeps) {
  /** Makes one step: sends a recipient that was certainly never created, and inquires about any other. */
  async function advanceRecipient({ subAccountId }: RecipientInput): Promise<RecipientStep> {
    const before = await deps.subAccounts.get(subAccountId);
    const authorization = deps.registries
      .of(before.companyId)
      .driver(before.gatewaySlug).recipientAuthorization;
    if (authorization !== undefined) return advanceAuthorization(deps, subAccountId, authorization);
    switch (before.status) {
      case 'requested':
        await sendRecipient(deps, before);
        break;
      case 'unknown':
      case 'pending':
        await inquireRecipient(deps, before);
        break;
      case 'active':
      case 'refused':
        break;
    }
    const { status, message, pollCount } = await deps.subAccounts.get(subAccountId);
    const pauseMs = recipientPauseMs(status, pollCount);
    await recordStep(deps, subAccountId, pauseMs);
    return { status, message, pauseMs };
  }

  return { advanceRecipient: withHeartbeat(reportFailures(deps.log)('advanceRecipient', advanceRecipient)) };
}

/** Sends the request once. Its claim is committed first, so a worker that finds a claimed row inquires and never sends. */
async function sendRecipient(deps: RecipientDeps, row: SubAccountRow): Promise<void> {
  const sentAt = deps.now();
  const information = await readInformation(deps, row);
  if (!(await deps.subAccounts.claim(row.id, sentAt))) return;
  const sendBefore = sentAt.getTime() + deps.settings.sendWindowMs;
  try {
    const driver = recipientDriver(deps, row);
    const context = recipientContext(deps, row, 'create_recipient', sendBefore);
    const created = await driver.createRecipient(context, row.id, information);
    await recordRecipient(deps, row, created);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    await recordFailure(deps, row, sentAt, error);
  }
}

/** The secret first: another worker's inquiry may have recorded the recipient already, and the gateway gives it only once. */
async function recordRecipient(
  { subAccounts, envelope }: RecipientDeps,
  { id, companyId }: SubAccountRow,
  { recipientId, status, message, consentUrl, secret }: Recipient,
): Promise<void> {
  if (secret !== undefined)
    await subAccounts.saveSecret(
      id,
      await envelope.seal(secret, encryptionContext.recipientSecret(companyId, id)),
    );
  const stored = status === 'needs_consent' ? 'pending' : status;
  await subAccounts.recordAnswer(id, { recipientId, status: stored, message, consentUrl });
}

async function recordFailure(
  deps: RecipientDeps,
  row: SubAccountRow,
  sentAt: Date,
  error: GatewayError,
): Promise<void> {
  switch (error.family) {
    case 'invalid_request':
      await deps.subAccounts.recordAnswer(row.id, {
        status: 'refused',
        recipientId: null,
        message: error.message,
      });
      return;
    case 'not_sent':
    case 'rate_limited':
    case 'bad_credentials':
    case 'unsupported':
      await deps.subAccounts.release(row.id, sentAt);
      return;
    case 'ambiguous':
      return;
  }
}

/**
 * Looks the recipient up by our reference. "Not found" counts only when the request can no longer be in flight
 * (`absenceProvenAfterMs`, longer than the send window plus the gateway timeout). Then it may be sent again.
 */
async function inquireRecipient(deps: RecipientDeps, row: SubAccountRow): Promise<void> {
  const found = await findRecipient(deps, row);
  if (found === 'inconclusive') return;
  if (found !== null) {
    await recordRecipient(deps, row, found);
    return;
  }
  if (row.status !== 'unknown' || row.sentAt === null) return;
  const sinceSentMs = deps.now().getTime() - row.sentAt.getTime();
  if (sinceSentMs >= deps.settings.absenceProvenAfterMs) await deps.subAccounts.release(row.id, row.sentAt);
}

async function findRecipient(
  deps: RecipientDeps,
  row: SubAccountRow,
): Promise<Recipient | null | 'inconclusive'> {
  try {
    const driver = recipientDriver(deps, row);
    return await driver.findRecipient(
      recipientContext(deps, row, 'find_recipient', Infinity),
      row.id,
      await readKnown(deps, row),
    );
  } catch (error) {
    if (error instanceof GatewayError) return 'inconclusive';
    throw error;
  }
}

type RecipientDriver = GatewayDriver & Required<Pick<GatewayDriver, 'createRecipient' | 'findRecipient'>>;

function recipientDriver(deps: RecipientDeps, { companyId, gatewaySlug }: SubAccountRow): RecipientDriver {
  const driver = deps.registries.of(companyId).driver(gatewaySlug);
  if (!supportsRecipients(driver))
    throw new GatewayError('unsupported', `${gatewaySlug} does not support recipients`);
  return driver;
}

function supportsRecipients(driver: GatewayDriver): driver is RecipientDriver {
  return driver.createRecipient !== undefined && driver.findRecipient !== undefined;
}

async function readKnown(deps: RecipientDeps, row: SubAccountRow): Promise<KnownRecipient> {
  const { id, companyId, recipientId, sentAt } = row;
  const sealed = await deps.subAccounts.findSecret(id);
  const context = encryptionContext.recipientSecret(companyId, id);
  return {
    recipientId,
    sentAt,
    information: await readInformation(deps, row),
    secret: sealed && (await deps.envelope.open(sealed, context)),
  };
}

async function readInformation(deps: RecipientDeps, row: SubAccountRow): Promise<SubAccountInformation> {
  const opened = await deps.envelope.open(
    row.sealedInformation,
    encryptionContext.subAccount(row.companyId, row.id),
  );
  return JSON.parse(opened) as SubAccountInformation;
}
