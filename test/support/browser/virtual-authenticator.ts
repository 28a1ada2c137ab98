import type { CDPSession, Page } from 'playwright-core';

interface Options {
  /** Whether the authenticator can verify its user by a finger, a face or a PIN. */
  canVerify?: boolean;
  canKeep?: boolean;
}

export interface VirtualAuthenticator {
  credentials(): Promise<Credential[]>;
  addCredential(credential: Credential): Promise<void>;
  clear(): Promise<void>;
  setVerified(isVerified: boolean): Promise<void>;
  setPresence(isAutomatic: boolean): Promise<void>;
  remove(): Promise<void>;
}

type Credential = Awaited<ReturnType<typeof credentialsOf>>[number];

const credentialsOf = async (client: CDPSession, authenticatorId: string) =>
  (await client.send('WebAuthn.getCredentials', { authenticatorId })).credentials;

/** Adds an authenticator of Chromium, which answers in place of the user. */
export async function addAuthenticator(
  page: Page,
  { canVerify = true, canKeep = true }: Options = {},
): Promise<VirtualAuthenticator> {
  const client = await page.context().newCDPSession(page);
  await client.send('WebAuthn.enable', { enableUI: false });
  const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: canKeep,
      hasUserVerification: canVerify,
      isUserVerified: canVerify,
      automaticPresenceSimulation: true,
    },
  });
  return {
    credentials: () => credentialsOf(client, authenticatorId),
    addCredential: async (credential) => {
      await client.send('WebAuthn.addCredential', { authenticatorId, credential });
    },
    clear: async () => {
      await client.send('WebAuthn.clearCredentials', { authenticatorId });
    },
    setVerified: async (isUserVerified) => {
      await client.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
    },
    setPresence: async (enabled) => {
      await client.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });
    },
    remove: async () => {
      await client.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
      await client.detach();
    },
  };
}
