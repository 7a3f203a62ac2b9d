import { openGatewayAccount } from '../../src/application/companies/open-gateway-account';
import { MAX_FETCH_TRIES, settlementPauseMs } from '../../src/domain/settlement/settlement';
import { GatewayError } from '../../src/gateways/errors';
import type { GatewayContext } from '../../src/gateways/gateway';
import { newGatewayContext } from '../../src/gateways/new-gateway-context';
import type { GatewayAccess } from '../../src/gateways/registry';
import type { StatementPage } from '../../src/gateways/statements/statement-driver';
import type { SettlementRecord } from '../../src/persistence/settlement/settlement-repository';
import { toAccess } from '../payments/gateways/charged-account';
import type { SettlementDeps, StageResult } from './settlement-deps';

const NO_STATEMENTS = 'this gateway sends no statements; upload the file that it offers on its own pages';
const NO_SECRET = 'no secret of this account is left; upload the statement';
const NOT_MADE = 'the gateway has not made the statement';

/** Fetches the next page and stores its lines with where the next one begins, so that each line is stored once. */
export async function fetchStatement(
  deps: SettlementDeps,
  settlement: SettlementRecord,
): Promise<StageResult> {
  const driver = deps.registries.of(settlement.companyId).driver(settlement.gatewaySlug).statements;
  if (driver === undefined) return fail(deps, settlement, NO_STATEMENTS);
  const access = await findAccess(deps, settlement);
  if (access === null) return fail(deps, settlement, NO_SECRET);
  let page: StatementPage | null;
  try {
    const context = await openContext(deps, settlement, access);
    page = await driver.fetchPage(context, { day: settlement.day, cursor: settlement.cursor });
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return tryLater(deps, settlement, error.message);
  }
  if (page === null) return tryLater(deps, settlement, NOT_MADE);
  return store(deps, settlement, page);
}

async function store(
  deps: SettlementDeps,
  settlement: SettlementRecord,
  { lines, next }: StatementPage,
): Promise<StageResult> {
  const lineCount = settlement.lineCount + lines.length;
  const status = next === null ? 'matching' : 'fetching';
  // A page without lines that is not the last one would not be told apart from one that is stored already.
  if (lines.length === 0 && next !== null)
    return tryLater(deps, settlement, 'the gateway sent an empty page');
  await deps.db.inTransaction(async (tx) => {
    if (
      await deps.settlements.advance(
        settlement,
        { status, cursor: next, lineCount, tries: 0 },
        deps.now(),
        tx,
      )
    )
      await deps.statementLines.insert(tx, settlement, lines, settlement.lineCount + 1);
  });
  deps.failpoint('statement-page-committed', settlement.companyId);
  return { kind: 'next' };
}

async function tryLater(
  deps: SettlementDeps,
  settlement: SettlementRecord,
  problem: string,
): Promise<StageResult> {
  if (settlement.tries >= MAX_FETCH_TRIES) return fail(deps, settlement, problem);
  await deps.settlements.advance(settlement, { tries: settlement.tries + 1, problem }, deps.now());
  return { kind: 'pause', pauseMs: settlementPauseMs(settlement.tries) };
}

async function fail(
  deps: SettlementDeps,
  settlement: SettlementRecord,
  problem: string,
): Promise<StageResult> {
  await deps.settlements.advance(settlement, { status: 'failed', problem }, deps.now());
  return { kind: 'ended' };
}

/** The newest secret of the account. Null without one: the platform's account is shared by companies. */
async function findAccess(
  deps: SettlementDeps,
  { companyId, gatewaySlug: slug, accountId }: SettlementRecord,
): Promise<GatewayAccess | null> {
  if (accountId === null) return null;
  const secrets = await deps.gatewaySecrets.list({ companyId, slug });
  const usable = secrets.find((secret) => secret.accountId === accountId && secret.sealedValues !== null);
  return usable === undefined ? null : toAccess(slug, usable);
}

async function openContext(
  deps: SettlementDeps,
  { companyId, gatewaySlug: slug }: SettlementRecord,
  access: GatewayAccess,
): Promise<GatewayContext> {
  return newGatewayContext(deps, {
    slug,
    ...(await openGatewayAccount(deps, companyId, access)),
    idempotencyKey: '',
    sendBefore: Infinity,
    timeoutMs: deps.settings.gatewayTimeoutMs,
    asked: { companyId, operation: 'fetch_statement', attemptId: null },
  });
}
