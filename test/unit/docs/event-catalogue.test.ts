import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PUBLISHED_EVENTS } from '../../../src/domain/webhooks/webhook-event';
import { projectRoot } from '../../../src/paths';
import { schemaErrors } from '../../api/support/contract-schemas';

interface CatalogueEntry {
  readonly event: string;
  /** The text between the heading and the example. */
  readonly sentence: string;
  readonly examples: readonly string[];
}

const catalogue = readCatalogue(readFileSync(join(projectRoot, 'docs/webhook-events.md'), 'utf8'));

function readCatalogue(page: string): CatalogueEntry[] {
  const [, ...entries] = page.split(/^## /m);
  return entries.map((entry) => {
    const [heading = '', ...lines] = entry.split('\n');
    const body = lines.join('\n');
    return {
      event: heading.replaceAll('`', '').trim(),
      sentence: (body.split('```')[0] ?? '').trim(),
      examples: [...body.matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(([, example]) => example ?? ''),
    };
  });
}

function bodySchema(event: string): object {
  const name = event.startsWith('transaction.dispute.')
    ? 'DisputeEventBody'
    : event.startsWith('transaction.')
      ? 'TransactionEventBody'
      : 'SubscriptionEventBody';
  return { $ref: `#/components/schemas/${name}` };
}

describe('the event catalogue in docs/webhook-events.md', () => {
  it('has exactly one heading for every published event', () => {
    expect(catalogue.map(({ event }) => event).sort()).toEqual([...PUBLISHED_EVENTS].sort());
  });

  it.each(PUBLISHED_EVENTS)('describes %s and has one valid example of its body', (event) => {
    const entry = catalogue.find((candidate) => candidate.event === event);
    expect(entry?.sentence).toMatch(/^[A-Z].*\.$/s);
    expect(entry?.examples).toHaveLength(1);
    const body = JSON.parse(entry?.examples[0] ?? '') as Record<string, unknown>;
    const [type, id] = event.startsWith('transaction.dispute.')
      ? ['dispute', body['id']]
      : event.startsWith('transaction.')
        ? ['payment', body['transaction_id']]
        : ['subscription', body['subscription_id']];
    expect(body).toMatchObject({ event, subject: { type, id } });
    expect(schemaErrors(bodySchema(event), body)).toEqual([]);
  });
});
