/** A crash at the commits of each flow of a live payment, and at one other statement. */
import { testCommitCuts } from '../support/database/crash.ts';
import { liveFlows, liveScene } from '../support/processors/live-flows.ts';

testCommitCuts(liveScene, liveFlows);
