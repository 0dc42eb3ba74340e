import { leadTimeBucket } from '../../../src/api/fields.js';
import { expect } from 'chai';
import { LEADS_AT_EDGES } from '../../support/plain/lead-times.js';
import { bucketOfLead, LEAD_TIME_BUCKETS, leadTimeText } from '../../../src/statistics/time/lead-time.js';

describe('lead-time buckets', () => {
  it('given the interface, then there are six, in order of their bounds', () => {
    expect(LEAD_TIME_BUCKETS).to.deep.equal(['0-6h', '6-12h', '12-24h', '24-48h', '48-72h', '72h+']);
  });

  it('given a bucket, then its label has its bounds, and its description says which of them belongs to it', () => {
    for (const bucket of LEAD_TIME_BUCKETS) {
      const [from = '', to] = bucket.replace(/h\+?$/, '').split('-');
      const { label, description } = leadTimeText(bucket);
      expect(label).to.equal(`${to === undefined ? `${from}+` : `${from}–${to}`} Hours Before Target Date`);
      expect(description)
        .to.match(/^[A-Z].*midnight/)
        .and.to.include(
          to === undefined ? `${from} hours or more` : `at least ${from} and less than ${to} hours`,
        )
        .and.to.include(' before');
    }
  });

  for (const { lead_ms, bucket } of LEADS_AT_EDGES) {
    it(`given a forecast ${lead_ms} ms before its day, then it is in ${bucket}`, () => {
      expect(bucketOfLead(lead_ms)).to.equal(bucket);
    });
  }

  it('given a name that is not a bucket, when it is parsed, then it is refused', () => {
    for (const name of ['0-6', '72h', '0–6h', '']) expect(leadTimeBucket.safeParse(name).success).to.be.false;
  });
});
