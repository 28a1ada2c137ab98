/** `exhaustive/crash.test.ts` cuts the connection at every statement, and kills processes at more moments. */
import { testCommitCuts } from '../support/money/crash.ts';
import { scene } from '../support/money/flows/cut-server.ts';
import {
  deliveryFlows,
  testDirectKill,
  testLostRecording,
  testWorkerKill,
} from '../support/money/flows/delivery-flows.ts';
import { paymentFlows, testPaymentKill } from '../support/money/flows/payment-flows.ts';
import { refundFlows } from '../support/money/flows/refund-flows.ts';
import { testCommandKill, transferFlows } from '../support/money/flows/transfer-flows.ts';

testCommitCuts(scene, [...paymentFlows, ...refundFlows, ...transferFlows, ...deliveryFlows]);

testLostRecording('statement');
testLostRecording('answer');

testPaymentKill('before the commit of a payment is acknowledged');
testCommandKill('before it commits');
testWorkerKill('statement');
testDirectKill('between the commit and the attempt');
