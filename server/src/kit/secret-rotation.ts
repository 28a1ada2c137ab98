export interface SealedSecret {
  sealed: string;
  last4: string;
}

/** The state of the rotation of a secret. Times are ISO 8601 texts, because the column is JSON. */
export interface SecretRotation {
  /**
   * The staged secret. It becomes the endpoint's secret at the time `at`, without a request. Until then it signs
   * `webhook-signature` together with the current secret.
   */
  next: (SealedSecret & { at: string }) | null;
  /** The replaced secret. It signs together with the current secret until the time `until`. */
  previous: { sealed: string; until: string } | null;
}
