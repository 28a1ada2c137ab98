import type { Agent } from 'undici';

export interface Post {
  origin: string;
  path: string;
  headers: string[];
  bytes: Buffer;
}

export function dispatchPost(agent: Agent, { origin, path, headers, bytes }: Post): Promise<void> {
  return new Promise((resolve, reject) => {
    agent.dispatch(
      { origin, path, method: 'POST', headers, body: bytes },
      {
        onRequestStart() {},
        onResponseStart() {},
        onResponseData() {},
        onResponseEnd: () => resolve(),
        onResponseError: (_controller, error) => reject(error),
      },
    );
  });
}
