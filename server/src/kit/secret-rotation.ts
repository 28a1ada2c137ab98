export interface SealedSecret {
  sealed: string;
  last4: string;
}

/** The state of the rotation of a secret. Times are ISO 8601 texts, because the column is JSON. */
export interface SecretRotation {
  /**
   * The staged secret. It becomes the endpoint's secret at the time `at`, without a request. Until then, the staged
   * secret and the current secret both sign `webhook-signature`.
   */
  next: (SealedSecret & { at: string }) | null;
  /** The replaced secret. Until the time `until`, the replaced secret and the current secret both sign. */
  previous: { sealed: string; until: string } | null;
}
