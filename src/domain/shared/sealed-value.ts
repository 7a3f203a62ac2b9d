/**
 * A stored secret: flattened JWE JSON (RFC 7516, section 7.2.2) without the `aad` member. The reader must supply the
 * `aad`, which proves that the value belongs to the record.
 */
export interface SealedValue {
  /** Base64url JSON: algorithms, key id, and nonce and tag of the key wrapping. */
  readonly protected: string;
  /** The value's data key, wrapped with the master key named in the header. */
  readonly encrypted_key: string;
  readonly iv: string;
  readonly ciphertext: string;
  readonly tag: string;
}
