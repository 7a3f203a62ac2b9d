'use strict';

const Sequencer = require('@jest/test-sequencer').default;

/** Those that take longest come first, so that none of them is left running alone at the end. */
const FIRST = [
  'faults/faults',
  'workflows/payments/operations-unknown',
  'soak/merchant-week',
  'workflows/subscriptions/five-years',
  'web/checkout',
  'api/payments/resolve-payment',
  'dev/start',
  'web/every-page',
  'workflows/subscriptions/unknown',
  'workflows/subscriptions/model',
  'workflows/payments/foreign-answers',
  'workflows/subscriptions/c',
  'gateways/contract',
  'web/',
  'workflows/',
  'api/',
];

class LongestFirst extends Sequencer {
  sort(tests) {
    return [...super.sort(tests)].sort((a, b) => placeOf(a) - placeOf(b));
  }
}

function placeOf({ path }) {
  const place = FIRST.findIndex((name) => path.includes(`/test/${name}`));
  return place === -1 ? FIRST.length : place;
}

module.exports = LongestFirst;
