/**
 * A secret as a table keeps it: flattened JWE JSON (RFC 7516, section 7.2.2) without its `aad` member, which is
 * never stored: whoever opens it must say where it belongs.
 */
export interface SealedValue {
  /** Base64url JSON: algorithms, key id, and the wrapping's nonce and tag. */
  readonly protected: string;
  /** The value's own data key, wrapped by the master key that the header names. */
  readonly encrypted_key: string;
  readonly iv: string;
  readonly ciphertext: string;
  readonly tag: string;
}
