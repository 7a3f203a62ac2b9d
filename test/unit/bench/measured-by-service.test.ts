import { difference, disagreements, figuresOf } from '../../bench/observability/measured-by-service';

const request = 'payment_engine_http_request_duration_seconds';
const call = 'payment_engine_gateway_call_duration_seconds_count';

/** As a process serves it, after this many payments of 20 ms each. */
function page(payments: number): string {
  return [
    `# TYPE ${request} histogram`,
    `${request}_bucket{le="0.05",route="createCardPayment",status="2xx"} ${payments}`,
    `${request}_sum{route="createCardPayment",status="2xx"} ${payments * 0.02}`,
    `${request}_count{route="createCardPayment",status="2xx"} ${payments}`,
    `${request}_count{route="createCardPayment",status="5xx"} 7`,
    `${call}{gateway="gateway_1",vendor="simulator",operation="charge",outcome="approved"} ${payments}`,
    `${call}{gateway="gateway_1",vendor="simulator",operation="charge",outcome="declined"} 3`,
  ].join('\n');
}

describe('the metrics of a bench round', () => {
  const round = difference(figuresOf([page(30), page(12)]), figuresOf([page(20), page(2)]));

  it('are the sum over the processes, of this round alone and of successful payments alone', () => {
    expect(round).toEqual({
      payments: 20,
      requestSeconds: expect.closeTo(0.4) as number,
      approvedCharges: 20,
    });
  });

  it('agree with clients that counted as many payments and waited a little longer for each', () => {
    expect(disagreements(round, { payments: 20, meanMs: 25 })).toEqual([]);
  });

  it('disagree with clients that counted others, or that waited for less or several times the time', () => {
    expect(disagreements(round, { payments: 21, meanMs: 25 })).toEqual([
      'the metrics count 20 payments, the clients 21',
      'the metrics count 20 approved charges of 21 payments',
    ]);
    for (const meanMs of [15, 100])
      expect(disagreements(round, { payments: 20, meanMs })).toEqual([
        expect.stringContaining('by the metrics'),
      ]);
  });
});
