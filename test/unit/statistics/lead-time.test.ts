import { expect } from 'chai';
import { LEADS_AT_EDGES } from '../../support/plain/lead-times.js';
import {
  bucketOfLead,
  LEAD_TIME_BUCKETS,
  leadTimeBucket,
  leadTimeText,
} from '../../../src/statistics/time/lead-time.js';

describe('lead-time buckets', () => {
  it('given the interface, then there are six, in order of their bounds', () => {
    expect(LEAD_TIME_BUCKETS).to.deep.equal(['0-6h', '6-12h', '12-24h', '24-48h', '48-72h', '72h+']);
  });

  for (const [bucket, label, description] of [
    ['0-6h', '0–6 Hours Before Target Date', 'at least 0 and less than 6 hours before'],
    ['6-12h', '6–12 Hours Before Target Date', 'at least 6 and less than 12 hours before'],
    ['12-24h', '12–24 Hours Before Target Date', 'at least 12 and less than 24 hours before'],
    ['24-48h', '24–48 Hours Before Target Date', 'at least 24 and less than 48 hours before'],
    ['48-72h', '48–72 Hours Before Target Date', 'at least 48 and less than 72 hours before'],
    ['72h+', '72+ Hours Before Target Date', '72 hours or more before'],
  ] as const) {
    it(`given ${bucket}, then its label is ${label} and its description says which bound belongs to it`, () => {
      const text = leadTimeText(bucket);
      expect(text.label).to.equal(label);
      expect(text.description)
        .to.match(/^[A-Z].*midnight/)
        .and.to.include(description);
    });
  }

  for (const { lead_ms, bucket } of LEADS_AT_EDGES) {
    it(`given a forecast ${lead_ms} ms before its day, then it is in ${bucket}`, () => {
      expect(bucketOfLead(lead_ms)).to.equal(bucket);
    });
  }

  it('given a name that is not a bucket, when it is parsed, then it is refused', () => {
    for (const name of ['0-6', '72h', '0–6h', '']) expect(leadTimeBucket.safeParse(name).success).to.be.false;
  });
});
