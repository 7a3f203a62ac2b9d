'use strict';

const Sequencer = require('@jest/test-sequencer').default;

/** Those that take longest come first, so that none of them is left running alone at the end. */
const FIRST = [
  'workflows/subscriptions/ten-years',
  'soak/merchant-month',
  'faults/faults',
  'workflows/payments/operations-unknown',
  'workflows/subscriptions/crash',
  'workflows/subscriptions/model',
  'dev/start',
  'api/payments/resolve-payment',
  'workflows/subscriptions/unknown',
  'workflows/subscriptions/races',
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
