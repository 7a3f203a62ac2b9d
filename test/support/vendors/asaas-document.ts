/** A JSON Schema, or a part of one. */
type Schema = Readonly<Record<string, unknown>>;
interface Model extends Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
}
type Models = Readonly<Record<string, Model>>;

/** A request's model, or several of which its body fits one; the model of its answer. */
interface Operation {
  readonly request?: readonly string[];
  readonly answer: string;
}

/** The models by method and path: https://docs.asaas.com/reference. */
const OPERATIONS: Readonly<Record<string, Operation>> = {
  'get /v3/customers': { answer: 'CustomerListResponseDto' },
  'post /v3/customers': { request: ['CustomerSaveRequestDto'], answer: 'CustomerGetResponseDto' },
  'get /v3/payments': { answer: 'PaymentListResponseDto' },
  'post /v3/payments': {
    request: ['PaymentSaveWithCreditCardRequestDto', 'PaymentSaveRequestDto'],
    answer: 'PaymentGetResponseDto',
  },
  'get /v3/payments/{id}': { answer: 'PaymentGetResponseDto' },
  'delete /v3/payments/{id}': { answer: 'PaymentDeleteResponseDto' },
  'get /v3/payments/{id}/pixQrCode': { answer: 'PaymentPixQrCodeResponseDto' },
  'get /v3/payments/{id}/identificationField': { answer: 'PaymentIdentificationFieldResponseDto' },
  'get /v3/payments/{id}/refunds': { answer: 'PaymentRefundListResponseDto' },
  'post /v3/payments/{id}/refund': { request: ['PaymentRefundRequestDto'], answer: 'PaymentGetResponseDto' },
  // The models have no body for it, and the driver sends an empty object.
  'post /v3/payments/{id}/captureAuthorizedPayment': { request: ['Empty'], answer: 'PaymentGetResponseDto' },
};

/** What the SDK's models lack or have wrong, and where that is seen. */
const MISSING_FIELDS: readonly (readonly [model: string, field: string, type: Schema, source: string])[] = [
  ['PaymentGetResponseDto', 'confirmedDate', { type: 'string' }, 'recorded card-approved'],
  ['PaymentGetResponseDto', 'lastInvoiceViewedDate', { type: 'string' }, 'recorded card-approved'],
  ['PaymentGetResponseDto', 'lastBankSlipViewedDate', { type: 'string' }, 'recorded card-approved'],
  ['PaymentDiscountDto', 'limitDate', { type: 'string' }, 'recorded card-approved'],
  ['PaymentFineResponseDto', 'type', { type: 'string' }, 'recorded card-approved'],
  ['PaymentInterestResponseDto', 'type', { type: 'string' }, 'recorded card-approved'],
];
const AUTHORIZED_STATE = [
  'PaymentGetResponsePaymentStatus',
  'AUTHORIZED',
  'https://docs.asaas.com/docs/payments-1',
];

/**
 * The models of Asaas' SDK as an OpenAPI document of the requests that the driver sends. Their exceptions are above; besides, any field of
 * an answer may be null, as in every recorded answer, though no model says so.
 */
export function asaasDocument(content: unknown): object {
  const { $defs: models } = content as { readonly $defs: Models };
  const schemas: Record<string, Schema> = Object.fromEntries(
    Object.entries(models).map(([name, model]) => [name, mended(name, model)] as const),
  );
  const paths: Record<string, Record<string, object>> = {};
  for (const [place, { request, answer }] of Object.entries(OPERATIONS)) {
    const [method = '', path = ''] = place.split(' ');
    const parameters = path.includes('{id}')
      ? [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }]
      : [];
    const body = request && { requestBody: { required: true, ...json({ anyOf: request.map(reference) }) } };
    const responses = { 200: answered(answer), 400: answered('ErrorResponseDto') };
    paths[path] = { ...paths[path], [method]: { parameters, ...body, responses } };
  }
  // Types of Java, which the models name without having them.
  schemas['byte[]'] = { type: 'string' };
  schemas.long = { type: 'integer' };
  schemas.Empty = { type: 'object', maxProperties: 0 };
  const info = { title: 'Asaas', version: '3' };
  return { openapi: '3.1.0', info, paths, components: { schemas } };
}

function mended(name: string, model: Model): Schema {
  const [stateModel, state] = AUTHORIZED_STATE;
  if (name === stateModel) return { ...model, enum: [...(model.enum as string[]), state] };
  const added = MISSING_FIELDS.filter(([of]) => of === name).map(([, field, type]) => [field, type] as const);
  const properties = { ...model.properties, ...Object.fromEntries(added) };
  const moved = relocated({ ...model, ...(model.properties && { properties }) }) as Model;
  return name.endsWith('RequestDto') || moved.properties === undefined ? moved : withNulls(moved);
}

function withNulls(model: Model): Schema {
  const fields = Object.entries(model.properties ?? {});
  const properties = fields.map(([name, field]) => [name, { anyOf: [field, { type: 'null' }] }] as const);
  return { ...model, properties: Object.fromEntries(properties) };
}

/** With references into the document. */
function relocated(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(relocated);
  if (typeof part === 'string') return part.replace(/^#\/\$defs\//, '#/components/schemas/');
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, relocated(value)]));
}

const reference = (model: string): Schema => ({ $ref: `#/components/schemas/${model}` });
const json = (schema: Schema) => ({ content: { 'application/json': { schema } } });
const answered = (model: string) => ({ description: model, ...json(reference(model)) });
