import type { PlannedPurchase } from './month-plan';
import type { SoakMerchant } from './soak-merchant';
import { ScenarioError, SoakPurchase } from './soak-purchase';

export interface PurchaseResult {
  readonly planned: PlannedPurchase;
  /** Null if no payment was created. */
  readonly transactionId: string | null;
  /** What differs from the scenario's expected outcome; null if nothing does. */
  readonly violation: string | null;
}

/** Runs the purchases with this concurrency until none is left or `mayStart` returns false; returns their results. */
export async function runMonth(
  merchant: SoakMerchant,
  month: readonly PlannedPurchase[],
  concurrency: number,
  mayStart: () => boolean = () => true,
): Promise<PurchaseResult[]> {
  const results: PurchaseResult[] = [];
  const remaining = [...month].reverse();
  const customer = async (): Promise<void> => {
    for (let next = remaining.pop(); next !== undefined && mayStart(); next = remaining.pop()) {
      results.push(await runPurchase(merchant, next));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, customer));
  return results;
}

async function runPurchase(merchant: SoakMerchant, planned: PlannedPurchase): Promise<PurchaseResult> {
  const purchase = new SoakPurchase(merchant, planned);
  const problem = await planned.scenario.run(purchase).then(() => null, describe);
  const { transactionId } = purchase;
  const subject = `${planned.scenario.name} (${purchase.amount} cents, payment ${transactionId ?? 'unknown'})`;
  return { planned, transactionId, violation: problem && `${subject}: ${problem}` };
}

function describe(error: unknown): string {
  if (error instanceof ScenarioError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
