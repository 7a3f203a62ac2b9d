import { IS_ASKED_AGAIN } from '../../support/scenarios/asked-again';
import { waitFor } from '../../support/stack/wait-for';
import type { SoakMerchant } from './soak-merchant';

const COMPLETED_WITHIN_MS = 90_000;
/**
 * A poll of a frozen worker that found the records changed leaves the payment scheduled for two minutes, and so the sweeper closes it. A
 * workflow task that was lost with its worker times out after 10 s, on a busy machine several times.
 */
const CLOSED_WITHIN_MS = 180_000;

/** Waits until no work is pending. Returns descriptions of what is pending or inconsistent after that. */
export async function waitForCompletion(
  merchant: SoakMerchant,
  withinMs = COMPLETED_WITHIN_MS,
): Promise<string[]> {
  const completed = waitFor(async () => (await pendingWork(merchant)).length === 0, {
    withinMs,
    everyMs: 200,
  });
  await completed.catch(() => undefined);
  return [...(await pendingWork(merchant)), ...(await closingViolations(merchant))];
}

/** Payments, attempts and callbacks that are still to be processed. */
async function pendingWork({ environment, companyId }: SoakMerchant): Promise<string[]> {
  const rows = await environment.db.query<{ what: string }>(
    `SELECT transaction_id || ' is still processing' AS what
       FROM payments WHERE company_id = $1 AND status = 'processing'
     UNION ALL
     SELECT 'the ' || operation || ' ' || reference || ' is ' || status
       FROM gateway_attempts WHERE company_id = $1 AND status IN ('requested', 'sent', 'unknown', 'accepted')
     UNION ALL
     SELECT 'the callback ' || event_id || ' of payment ' || payment_id || ' is not processed'
       FROM gateway_callbacks WHERE company_id = $1 AND processed_at IS NULL`,
    [companyId],
  );
  return rows.map(({ what }) => what);
}

/** A payment is scheduled for recovery if and only if it awaits something; no CVV is kept after the authorization. */
async function recoveryViolations({ environment, companyId }: SoakMerchant): Promise<string[]> {
  const rows = await environment.db.query<{ what: string }>(
    `SELECT transaction_id || ' is ' || status || ' and still scheduled for recovery' AS what
       FROM payments
      WHERE company_id = $1 AND status NOT IN ('pending', 'authorized') AND recover_after IS NOT NULL
        AND NOT ${IS_ASKED_AGAIN}
     UNION ALL
     SELECT transaction_id || ' is ' || status || ' and not scheduled for recovery'
       FROM payments WHERE company_id = $1 AND status IN ('pending', 'authorized') AND recover_after IS NULL
     UNION ALL
     SELECT 'the CVV of ' || transaction_id || ' was kept after its authorization'
       FROM payments JOIN vault_cards v ON v.id = vault_card_id
      WHERE payments.company_id = $1 AND status <> 'processing' AND sealed_cvv IS NOT NULL`,
    [companyId],
  );
  return rows.map(({ what }) => what);
}

/**
 * What is still wrong when workflows have had the time to close: a workflow clears the recovery schedule in its last step,
 * after the outcome was recorded.
 */
async function closingViolations(merchant: SoakMerchant): Promise<string[]> {
  let violations: string[] = [];
  const asExpected = waitFor(
    async () => {
      violations = [...(await recoveryViolations(merchant)), ...(await workflowViolations(merchant))];
      return violations.length === 0;
    },
    { withinMs: CLOSED_WITHIN_MS, everyMs: 300 },
  );
  await asExpected.catch(() => undefined);
  return violations;
}

/** A workflow runs for each payment that awaits something, and for no other. */
async function workflowViolations({ environment, companyId }: SoakMerchant): Promise<string[]> {
  const payments = await environment.db.query<{ id: string; waits: boolean }>(
    `SELECT transaction_id AS id, status IN ('pending', 'authorized') AS waits FROM payments WHERE company_id = $1`,
    [companyId],
  );
  const running = new Set<string>();
  const query = `CompanyId = '${companyId}' AND ExecutionStatus = 'Running'`;
  for await (const { workflowId } of environment.temporal.workflow.list({ query })) running.add(workflowId);
  return payments
    .filter(({ id, waits }) => running.has(`payment/${id}`) !== waits)
    .map(({ id, waits }) => `the workflow of ${id} ${waits ? 'does not run' : 'still runs'}`);
}
