import { waitFor } from '../../support/stack/wait-for';
import type { Shop } from './soak-merchant';

const OVER_WITHIN_MS = 90_000;
/** A workflow task that was lost with its worker is given again after 10 s, and lists of workflows lag behind. */
const CLOSED_WITHIN_MS = 20_000;

/** Waits until nothing is under way any more, and tells, in words, what is left all the same. */
export async function untilOver(shop: Shop): Promise<string[]> {
  const over = waitFor(async () => (await underWay(shop)).length === 0, {
    withinMs: OVER_WITHIN_MS,
    everyMs: 200,
  });
  await over.catch(() => undefined);
  return [...(await underWay(shop)), ...(await forgotten(shop)), ...(await workflowViolations(shop))];
}

/** What somebody still has to do, or to look at. */
async function underWay({ world, companyId }: Shop): Promise<string[]> {
  const rows = await world.db.query<{ what: string }>(
    `SELECT transaction_id || ' is still processing' AS what
       FROM payments WHERE company_id = $1 AND status = 'processing'
     UNION ALL
     SELECT 'the ' || operation || ' ' || reference || ' is ' || status
       FROM gateway_attempts WHERE company_id = $1 AND status IN ('requested', 'sent', 'unknown')
     UNION ALL
     SELECT 'nobody looked at the callback ' || event_id || ' of payment ' || payment_id
       FROM gateway_callbacks WHERE company_id = $1 AND processed_at IS NULL`,
    [companyId],
  );
  return rows.map(({ what }) => what);
}

/** What nobody would ever do, or should have done already. */
async function forgotten({ world, companyId }: Shop): Promise<string[]> {
  const rows = await world.db.query<{ what: string }>(
    `SELECT transaction_id || ' is ' || status || ' and waits for a sweeper' AS what
       FROM payments
      WHERE company_id = $1 AND status NOT IN ('pending', 'authorized') AND recover_after IS NOT NULL
     UNION ALL
     SELECT transaction_id || ' is ' || status || ' and no sweeper would wake it'
       FROM payments WHERE company_id = $1 AND status IN ('pending', 'authorized') AND recover_after IS NULL
     UNION ALL
     SELECT 'the CVV of ' || transaction_id || ' outlived its authorization'
       FROM payments JOIN vault_cards v ON v.id = vault_card_id
      WHERE payments.company_id = $1 AND status <> 'processing' AND sealed_cvv IS NOT NULL`,
    [companyId],
  );
  return rows.map(({ what }) => what);
}

/** Those that wait for something have a workflow that runs, and no others have. */
async function workflowViolations(shop: Shop): Promise<string[]> {
  let violations: string[] = [];
  const asItShould = waitFor(
    async () => {
      violations = await compareWorkflows(shop);
      return violations.length === 0;
    },
    { withinMs: CLOSED_WITHIN_MS, everyMs: 300 },
  );
  await asItShould.catch(() => undefined);
  return violations;
}

async function compareWorkflows({ world, companyId }: Shop): Promise<string[]> {
  const payments = await world.db.query<{ id: string; waits: boolean }>(
    `SELECT transaction_id AS id, status IN ('pending', 'authorized') AS waits FROM payments WHERE company_id = $1`,
    [companyId],
  );
  const running = new Set<string>();
  const query = `CompanyId = '${companyId}' AND ExecutionStatus = 'Running'`;
  for await (const { workflowId } of world.temporal.workflow.list({ query })) running.add(workflowId);
  return payments
    .filter(({ id, waits }) => running.has(`payment/${id}`) !== waits)
    .map(({ id, waits }) => `the workflow of ${id} ${waits ? 'does not run' : 'still runs'}`);
}
