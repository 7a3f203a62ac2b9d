import type { PlannedPurchase } from './month';
import { Purchase, StoryError } from './purchase';
import type { Shop } from './soak-merchant';

/** How one customer's story went. */
export interface Told {
  readonly planned: PlannedPurchase;
  readonly transactionId: string | null;
  /** What did not go as it must, in words. */
  readonly violation: string | null;
}

/** Plays all stories, so many at a time, and returns how each of them went. `until`: none begins after that. */
export async function playMonth(
  shop: Shop,
  month: readonly PlannedPurchase[],
  customers: number,
  mayBegin: () => boolean = () => true,
): Promise<Told[]> {
  const told: Told[] = [];
  const rest = [...month].reverse();
  const counter = async (): Promise<void> => {
    for (let next = rest.pop(); next !== undefined && mayBegin(); next = rest.pop()) {
      told.push(await tell(shop, next));
    }
  };
  await Promise.all(Array.from({ length: customers }, counter));
  return told;
}

async function tell(shop: Shop, planned: PlannedPurchase): Promise<Told> {
  const purchase = new Purchase(shop, planned);
  const how = await planned.story.play(purchase).then(() => null, describe);
  const { transactionId } = purchase;
  const subject = `who ${planned.story.name} (${purchase.amount} cents, payment ${transactionId ?? 'unknown'})`;
  return { planned, transactionId, violation: how && `the customer ${subject}: ${how}` };
}

function describe(error: unknown): string {
  if (error instanceof StoryError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
