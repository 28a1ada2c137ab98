export const account = {
  /**
   * Gets the merchant, the mode and the scopes of this key: the first call to make.
   *
   * @example
   * const { merchant, mode, key } = await tillhook.account.get();
   */
  get: 'getAccount',
} as const;
