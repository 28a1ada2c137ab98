export interface SealedSecret {
  sealed: string;
  last4: string;
}

/** Times are ISO 8601 texts, because the rotation is stored as JSON. */
export interface SecretRotation {
  /**
   * The staged secret becomes the endpoint's secret at the time `at`. Until then, the staged and the current secret
   * both sign.
   */
  next: (SealedSecret & { at: string }) | null;
  /** Until the time `until`, the replaced and the current secret both sign. */
  previous: { sealed: string; until: string } | null;
}
