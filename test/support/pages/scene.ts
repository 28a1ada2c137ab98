import type { Page } from 'playwright-core';
import type { OwnServer } from '../server/tillhook.ts';

/** Pages of the server in one of their states, each by name, and how a person gets there from an empty browser. */
export type Scenes = Record<string, (page: Page, server: OwnServer) => Promise<unknown>>;
