import { csvHeader } from '../../../src/presenters/exports/csv';
import {
  EVENT_COLUMNS,
  PAYMENT_COLUMNS,
  REFUND_COLUMNS,
  SPLIT_COLUMNS,
  SUBSCRIPTION_COLUMNS,
} from '../../../src/presenters/exports/columns';
import { contract } from '../../api/support/contract';
import { openApiOperation, resolveResponse } from '../../api/support/contract-schemas';

it.each([
  ['payments', csvHeader(PAYMENT_COLUMNS, 'comma')],
  ['refunds', csvHeader(REFUND_COLUMNS, 'comma')],
  ['splits', csvHeader(SPLIT_COLUMNS, 'comma')],
  ['subscriptions', csvHeader(SUBSCRIPTION_COLUMNS, 'comma')],
  ['events', csvHeader(EVENT_COLUMNS, 'comma')],
])('the contract’s example of the export of %s has the columns that are exported', (name, header) => {
  for (const path of [`/exports/${name}`, `/user/exports/${name}`]) {
    const route = contract.routes.find((each) => each.path === path);
    const response = route && openApiOperation(route).responses['200'];
    const example = response && resolveResponse(response).content?.['text/csv']?.example;
    expect(String(example).split('\n')[0]).toBe(header.trimEnd());
  }
});
