import type { Page } from 'playwright-core';
import type { OwnServer } from '../server/tillhook.ts';

/** Each scene is a page of the server in one state, with the steps that lead there from a new browser page. */
export type Scenes = Record<string, (page: Page, server: OwnServer) => Promise<unknown>>;
