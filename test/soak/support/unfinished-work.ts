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

/** Waits until nothing is to be processed, so that no money moves any more. Reported in the end if it never comes. */
export async function untilNothingPending(merchant: SoakMerchant): Promise<void> {
  const isDone = async (): Promise<boolean> => (await pendingWork(merchant)).length === 0;
  await waitFor(isDone, { withinMs: COMPLETED_WITHIN_MS, everyMs: 200 }).catch(() => undefined);
}

/** Payments, attempts, callbacks, answers to disputes and settlements that are still to be processed. */
async function pendingWork({ environment, companyId }: SoakMerchant): Promise<string[]> {
  const rows = await environment.db.query<{ what: string }>(
    `SELECT transaction_id || ' is still processing' AS what
       FROM payments WHERE company_id = $1 AND status = 'processing'
     UNION ALL
     SELECT 'the ' || operation || ' ' || reference || ' is ' || status
       FROM gateway_attempts WHERE company_id = $1 AND status IN ('requested', 'sent', 'unknown', 'accepted')
     UNION ALL
     SELECT 'the callback ' || event_id || ' of payment ' || payment_id || ' is not processed'
       FROM gateway_callbacks WHERE company_id = $1 AND processed_at IS NULL
     UNION ALL
     SELECT 'the ' || kind || ' of the dispute ' || dispute_id || ' is ' || status
       FROM dispute_requests WHERE company_id = $1 AND status IN ('requested', 'sent')
     UNION ALL
     SELECT 'the settlement of ' || gateway_slug || ' of ' || day || ' is ' || status
       FROM settlements WHERE company_id = $1 AND status NOT IN ('done', 'failed')`,
    [companyId],
  );
  return rows.map(({ what }) => what);
}

/** What awaits something is scheduled for recovery, and nothing else is; no CVV is kept after the authorization. */
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
     SELECT 'the dispute ' || id || ' is ' || status || CASE WHEN recover_after IS NULL THEN ' and not' ELSE ' and still' END
            || ' scheduled for recovery'
       FROM disputes WHERE company_id = $1 AND (status IN ('opened', 'submitted')) <> (recover_after IS NOT NULL)
     UNION ALL
     SELECT 'the settlement of ' || gateway_slug || ' of ' || day || ' is ' || status || ' and still scheduled for recovery'
       FROM settlements WHERE company_id = $1 AND recover_after IS NOT NULL
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

/** A workflow runs for each payment and dispute that awaits something, and for no other; none for a settlement. */
async function workflowViolations({ environment, companyId }: SoakMerchant): Promise<string[]> {
  const actors = await environment.db.query<{ id: string; waits: boolean }>(
    `SELECT 'payment/' || transaction_id AS id, status IN ('pending', 'authorized') AS waits FROM payments WHERE company_id = $1
     UNION ALL
     SELECT 'dispute/' || id, status IN ('opened', 'submitted') FROM disputes WHERE company_id = $1`,
    [companyId],
  );
  const running = new Set<string>();
  const query = `CompanyId = '${companyId}' AND ExecutionStatus = 'Running'`;
  for await (const { workflowId } of environment.temporal.workflow.list({ query })) running.add(workflowId);
  const settlements = [...running].filter((id) => id.startsWith('settlement/'));
  return [
    ...actors
      .filter(({ id, waits }) => running.has(id) !== waits)
      .map(({ id, waits }) => `the workflow ${id} ${waits ? 'does not run' : 'still runs'}`),
    ...settlements.map((id) => `the workflow ${id} still runs`),
  ];
}
