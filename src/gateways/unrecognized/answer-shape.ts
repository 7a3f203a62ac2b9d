import { createHash } from 'node:crypto';
import type { AnswerShape } from '../../domain/routing/unrecognized-answer';
import { parseJson } from '../parse-json';
import { jsonShape } from './json-shape';
import { knownWords } from './known-text';

const MAX_SHAPE = 2_000;
/** Characters of a page that are read. */
const MAX_READ = 20_000;
const MAX_BROKEN_NAMES = 40;
const FINGERPRINT_LENGTH = 32;

const CONTENT_TYPES: ReadonlySet<string> = new Set([
  'application/json',
  'application/problem+json',
  'application/hal+json',
  'application/x-www-form-urlencoded',
  'application/octet-stream',
  'application/xml',
  'application/soap+xml',
  'text/html',
  'text/plain',
  'text/xml',
  'text/json',
]);

/**
 * What is kept of an answer that no driver knows. Everything is left out that is not on a list of what is kept, because a vendor
 * may repeat any part of the request in its answer.
 */
export function answerShape(
  status: number | null,
  contentType: string | undefined,
  text: string,
): AnswerShape {
  const type = contentTypeOf(contentType);
  const shape = cut(shapeOfText(text));
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([status, type, shape]))
    .digest('hex')
    .slice(0, FINGERPRINT_LENGTH);
  return { contentType: type, shape, fingerprint };
}

function contentTypeOf(header = ''): string | null {
  const type = header.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (type === '') return null;
  return CONTENT_TYPES.has(type) ? type : 'other';
}

function shapeOfText(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') return 'empty';
  const json = parseJson(trimmed);
  if (json !== undefined) return JSON.stringify(jsonShape(json));
  // Half of the vendor's own answer is the most likely one to have a customer in it.
  if (/^[[{"]/.test(trimmed)) return `broken JSON with ${JSON.stringify(namesIn(trimmed))}`;
  return trimmed.startsWith('<') ? markupShape(trimmed.slice(0, MAX_READ)) : `text: ${knownWords(trimmed)}`;
}

/** The property names of a JSON text that cannot be parsed. */
function namesIn(text: string): readonly string[] {
  const found = text.slice(0, MAX_READ).matchAll(/"([^"\\]{1,40})"\s*:/g);
  const shape = jsonShape(Object.fromEntries([...found].map(([, name = '']) => [name, null])));
  return Object.keys(shape as object).slice(0, MAX_BROKEN_NAMES);
}

function markupShape(markup: string): string {
  const title = /<title[^>]*>([^<]{0,300})/i.exec(markup)?.[1] ?? '';
  const body = markup
    .replace(/<title[^>]*>[^<]*/i, ' ')
    .replace(/<(script|style)\b[\s\S]*?(?:<\/\1|$)/gi, ' ')
    .replace(/<[^>]*(?:>|$)/g, ' ');
  return `page: title (${knownWords(title)}), text (${knownWords(body)})`;
}

function cut(shape: string): string {
  return shape.length <= MAX_SHAPE ? shape : `${shape.slice(0, MAX_SHAPE - 1)}…`;
}
