import type { Page } from 'playwright-core';
import type { TestServer } from './tillhook.ts';

/** Pages of the server in one of their states, each by name, and how a person gets there from an empty browser. */
export type Scenes = Record<string, (page: Page, server: TestServer) => Promise<unknown>>;
