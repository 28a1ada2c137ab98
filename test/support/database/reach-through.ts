/** Returns a function that gives the same address, but through a proxy on this port of this machine. */
export function reachThrough(port: number): (address: string) => string {
  return (address) => {
    const url = new URL(address);
    url.host = `127.0.0.1:${port}`;
    return url.href;
  };
}
