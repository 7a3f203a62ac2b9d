import type { ApiKey } from '../domain/companies/api-key';
import type { components } from '../http/generated/openapi';

type Schemas = components['schemas'];

export function presentApiKey({ id, name, mode, scopes, createdAt, lastUsedAt }: ApiKey): Schemas['ApiKey'] {
  return {
    id,
    name,
    mode,
    scopes: [...scopes],
    created_at: createdAt.toISOString(),
    last_used_at: lastUsedAt?.toISOString() ?? null,
  };
}

/** The only response with the key. */
export function presentCreatedApiKey(
  { apiKey, key }: { readonly apiKey: ApiKey; readonly key: string },
  warning: string,
): Schemas['CreatedApiKey'] {
  return { ...presentApiKey(apiKey), api_key: key, warning };
}
