/** The contract is broken; the message begins with the file and the line that is wrong. */
export class ContractError extends Error {
  override name = 'ContractError';
}
