import { readFileSync } from 'node:fs';
import {
  contractOf,
  parseContract,
  type Contract,
  type OpenApiDocument,
} from '../../../src/http/server/contract';
import { createRequestValidation } from '../../../src/http/server/request-validation';
import { openapiPath } from '../../../src/paths';
import { hasStack, readStack } from '../../support/stack/stack';

/** openapi.yaml as parsed by the test run’s global setup, once for all test files; outside a run it is parsed here. */
const document = hasStack()
  ? (JSON.parse(readFileSync(readStack().contractPath, 'utf8')) as OpenApiDocument)
  : parseContract(readFileSync(openapiPath, 'utf8'));

/** The contract of the sandbox, which has every route. */
export const contract: Contract = contractOf(document, { takesTestData: true });

/** Its schemas are compiled once for all test files of a process. */
export const requestValidation = createRequestValidation(contract);

export const productionContract: Contract = contractOf(document, { takesTestData: false });
