import { knownWords } from './known-text';

/** Bounds of what is read of a JSON answer. */
const MAX_DEPTH = 6;
const MAX_NODES = 400;
const MAX_PROPERTIES = 60;
const MAX_ELEMENTS = 20;
/** Different shapes of the elements of one array. */
const MAX_ELEMENT_SHAPES = 5;

const TEXT = '<text>';
const NUMBER = '<number>';
const OTHER_NAME = '<name>';
const MORE = '…';

/** A property name: letters with one digit at the end at most, because some objects have ids or documents as names. */
const PROPERTY_NAME = /^[A-Za-z_$][A-Za-z_.$-]{0,38}\d?$/;
/** A state, type or code in letters. A token has digits or is longer. */
const STATE = /^[A-Za-z]{1,24}(?:[_.-][A-Za-z]{1,24}){0,5}$/;
const MAX_STATE = 40;

/** Property names, without case and separators, whose value is one of the vendor's own words. */
const STATE_NAMES: ReadonlySet<string> = new Set([
  'action',
  'billingtype',
  'category',
  'changetype',
  'code',
  'currency',
  'declinecode',
  'error',
  'errorcode',
  'errortype',
  'event',
  'eventcode',
  'eventtype',
  'kind',
  'method',
  'natureza',
  'object',
  'operation',
  'operationtype',
  'paymentmethod',
  'paymentmethodid',
  'paymentstatus',
  'paymenttypeid',
  'result',
  'resultcode',
  'returncode',
  'state',
  'status',
  'statusdetail',
  'transactionstatus',
  'transactiontype',
  'type',
]);

/** Those with a sentence, of which the known words are kept. */
const SENTENCE_NAMES: ReadonlySet<string> = new Set([
  'description',
  'detail',
  'details',
  'error',
  'errordescription',
  'errormessage',
  'errors',
  'message',
  'messages',
  'msg',
  'reason',
  'refusalreason',
  'returnmessage',
  'title',
]);

/** The structure of a JSON value: property names in order of the alphabet, the types of values, and the vendor's own words for states. */
export function jsonShape(value: unknown): unknown {
  return shapeOf(value, '', { depth: 0, nodes: { left: MAX_NODES } });
}

interface Place {
  readonly depth: number;
  /** Shared by the whole answer. */
  readonly nodes: { left: number };
}

function shapeOf(value: unknown, name: string, { depth, nodes }: Place): unknown {
  nodes.left -= 1;
  if (nodes.left < 0) return MORE;
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'number') return NUMBER;
  if (typeof value === 'string') return textShape(value, name);
  if (depth >= MAX_DEPTH) return MORE;
  const inner = { depth: depth + 1, nodes };
  return Array.isArray(value) ? arrayShape(value, name, inner) : objectShape(value as object, inner);
}

function arrayShape(elements: readonly unknown[], name: string, inner: Place): readonly unknown[] {
  const shapes = elements.slice(0, MAX_ELEMENTS).map((each) => shapeOf(each, name, inner));
  // However many elements there are, those of one shape count once.
  const distinct = new Map(shapes.map((shape) => [JSON.stringify(shape), shape]));
  return [...distinct.values()].slice(0, MAX_ELEMENT_SHAPES);
}

function objectShape(value: object, inner: Place): object {
  const properties = Object.entries(value).slice(0, MAX_PROPERTIES);
  const shown = properties.map(([name, each]): [string, unknown] => {
    const isName = PROPERTY_NAME.test(name);
    return [isName ? name : OTHER_NAME, shapeOf(each, isName ? name : '', inner)];
  });
  const sorted = shown.toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
  if (Object.keys(value).length > MAX_PROPERTIES) sorted.push([MORE, MORE]);
  return Object.fromEntries(sorted);
}

function textShape(text: string, name: string): string {
  if (text === '') return '';
  const plainName = name.replace(/[^A-Za-z]/g, '').toLowerCase();
  if (STATE_NAMES.has(plainName) && text.length <= MAX_STATE && STATE.test(text)) return text;
  return SENTENCE_NAMES.has(plainName) ? `${TEXT} ${knownWords(text)}` : TEXT;
}
