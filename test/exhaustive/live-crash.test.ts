/** Tests a crash at each statement of each flow of a live payment. */
import { testEachCut } from '../support/money/crash.ts';
import { liveFlows, liveScene } from '../support/processors/live-flows.ts';

testEachCut(liveScene, liveFlows);
