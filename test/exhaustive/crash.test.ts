/** Tests a crash at each statement of each flow of money, and kills processes at more moments than npm test. */
import { testEachCut } from '../support/money/crash.ts';
import { scene } from '../support/money/flows/cut-server.ts';
import { deliveryFlows, testDirectKill, testWorkerKill } from '../support/money/flows/delivery-flows.ts';
import { paymentFlows, testPaymentKill } from '../support/money/flows/payment-flows.ts';
import { refundFlows } from '../support/money/flows/refund-flows.ts';
import { testCommandKill, transferFlows } from '../support/money/flows/transfer-flows.ts';

testEachCut(scene, [...paymentFlows, ...refundFlows, ...transferFlows, ...deliveryFlows]);

testPaymentKill('before it publishes the event of a payment');
testCommandKill('after its commit and before the commit is acknowledged');
testWorkerKill('answer');
testDirectKill('between the attempt and its record');
