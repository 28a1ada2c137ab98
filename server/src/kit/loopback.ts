/** False for any other name, even if it leads to this machine now: its owner may change where it leads. */
export function isLoopbackName(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/.test(host);
}
