import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../../src/paths';
import { withVendorTables } from './vendor-table';

const page = join(projectRoot, 'docs/gateways/README.md');
writeFileSync(page, withVendorTables(readFileSync(page, 'utf8')));
