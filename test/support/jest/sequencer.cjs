'use strict';

const Sequencer = require('@jest/test-sequencer').default;

/** Those that take longest come first, so that none of them is left running alone at the end. */
const FIRST = [
  'subscriptions/ten-years',
  'stories/shops-month',
  'faults/faults',
  'payments/operations-unknown',
  'subscriptions/crash',
  'subscriptions/model',
  'local/start',
  'http/resolve-payment/resolve-payment',
  'subscriptions/unknown',
  'subscriptions/races',
  'web/',
  'subscriptions/',
  'payments/',
  'http/',
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
