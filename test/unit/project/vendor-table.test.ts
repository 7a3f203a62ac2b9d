import {
  missingVendors,
  recommendedVendors,
  withVendorTables,
} from '../../gateways/vendor-table/vendor-table';
import { PROOFS } from '../../gateways/vendor-table/proofs';
import { readProjectFile } from './project-files';

const PAGE = 'docs/gateways/README.md';
/** The formatter pads the cells. */
const withoutPadding = (text: string): string => text.replaceAll(/ +/g, ' ').replaceAll(/-{3,}/g, '---');

it('the page of all vendors says what the drivers say (else run npm run docs:gateways)', () => {
  const page = readProjectFile(PAGE);
  expect(withoutPadding(page)).toBe(withoutPadding(withVendorTables(page)));
});

it('each vendor with a driver has a column', () => {
  expect(missingVendors()).toEqual([]);
});

it('each vendor has a slug of its own, at which the soak of all vendors runs it', () => {
  expect([...recommendedVendors().values()].toSorted()).toEqual(Object.keys(PROOFS).toSorted());
});
