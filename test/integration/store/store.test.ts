import { expect } from 'chai';
import fc from 'fast-check';
import { z } from 'zod';
import {
  QueryAbandoned,
  QueryTimeout,
  QueryTooLarge,
  StoreOverloaded,
  StoreUnavailable,
} from '../../../src/store/store-errors.js';
import { SERVING } from '../../../src/store/engine/open.js';
import { bind, raw, sql } from '../../../src/queries/sql.js';
import type { Store } from '../../../src/store/store.js';
import { failureOf } from '../../support/failure.js';
import { until } from '../../support/process.js';
import { itInCi, range } from '../../support/runner/range.js';
import { overTransports } from '../../support/transports.js';

/** Texts that would break out of a statement, or be changed, if they were not bound well. */
const HOSTILE = [
  '',
  ' ',
  "'",
  "''",
  '"',
  '`',
  '\\',
  "\\'",
  "\\\\'",
  "'; DROP TABLE pairs; --",
  "x' OR '1' = '1",
  '{metric: String}',
  '{v:String}',
  '\t\n\r',
  '\\t\\n\\N',
  '\\N',
  'NULL',
  '%41%27%00',
  'a+b&param_v=d#e?f',
  '-- comment',
  '/* comment */',
  ';',
  '\b\f\v\u0001',
  'São Paulo 北京 🌡',
  '\u2028\uFEFF',
  "['a','b']",
  'x'.repeat(2000),
];

const NEVER_ENDING = 'SELECT sum(sipHash64(number)) AS n FROM numbers(1000000000000)';
/** For a store that gives queries half a second: two of them keep the one behind them waiting for too long. */
const NEARLY_TOO_LONG = 'SELECT sleep(0.35) AS n';
const value = z.object({ v: z.string() });
const anything = z.unknown();

overTransports('Store', (openTestStore, transport) => {
  // Over the socket, a statement that runs already goes on until its end or its time limit: another process runs it.
  const readsAreCancelled = transport !== 'the socket of another process';
  let store: Store;

  before(async () => {
    store = await openTestStore();
  });
  after(async () => {
    await store.close();
  });

  describe('when values are bound', () => {
    it('and they are any texts, alone or in arrays, then they come back as they are', async () => {
      const text = fc.string({
        unit: fc.oneof(
          fc.constantFrom(...'\'"\\`{}[](),:\t\n\r\0%;N'),
          fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
          fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
        ),
      });
      await fc.assert(
        fc.asyncProperty(text, fc.array(text, { maxLength: 4 }), async (v, a) => {
          const rows = await store.query(
            sql.rows(anything)`${raw('SELECT {v: String} AS v, {a: Array(String)} AS a', { v, a })}`,
          );
          expect(rows).to.deep.equal([{ v, a }]);
        }),
        { numRuns: range({ test: 8, ci: 120, stress: 2000 }) },
      );
    });

    itInCi(
      'and another process relays a text without one that it names, then it fails, also later',
      async () => {
        const text = 'SELECT {given_before: String} AS v FORMAT JSON';
        await store.relay(text, { given_before: 'the last one' });
        const error = await failureOf(store.relay(text, { other: 'x' }));
        expect(error).to.be.instanceOf(Error);
        expect(String(error)).to.include('given_before');
      },
    );

    it('and they are numbers, then they come back as they are', async () => {
      const row = z.object({ a: z.number(), b: z.number() });
      const numbers = { a: -12.25, b: 4_294_967_295 };
      expect(
        await store.query(sql.rows(row)`${raw('SELECT {a: Float64} AS a, {b: UInt32} AS b', numbers)}`),
      ).to.deep.equal([numbers]);
    });

    it('and one is no value of its type, then the statement fails and no table is harmed', async () => {
      const error = await failureOf(
        store.query(
          sql.rows(anything)`${raw('SELECT {d: Date} AS d', { d: "2026-01-01'; DROP TABLE pairs; --" })}`,
        ),
      );
      expect(error).to.be.instanceOf(Error);
      expect(await store.query(sql.rows(anything)`SELECT count() AS v FROM pairs`)).to.deep.equal([{ v: 0 }]);
    });

    it('and a statement inserts them, then their texts are kept as they are', async () => {
      const some = range({ test: 6, ci: Infinity }, HOSTILE);
      for (const [id, report] of some.entries()) {
        await store.command(
          raw(`INSERT INTO loads (load_id, event, report) SELECT {id: UInt32}, 'started', {report: String}`, {
            id,
            report,
          }),
        );
      }
      const rows = await store.query(sql.rows(value)`SELECT report AS v FROM loads ORDER BY load_id`);
      expect(rows.map(({ v }) => v)).to.deep.equal(some);
      await store.command(sql`TRUNCATE TABLE loads`);
    });

    it('and rows are inserted, then their texts are kept as they are', async () => {
      await store.insert(
        'loads',
        ['load_id', 'event', 'report'],
        HOSTILE.map((text, index) => [index, 'started', text]),
      );
      const rows = await store.query(sql.rows(value)`SELECT report AS v FROM loads ORDER BY load_id`);
      expect(rows.map(({ v }) => v)).to.deep.equal(HOSTILE);
    });
  });

  describe('when rows are read', () => {
    it('then wide numbers and those that are none are JSON numbers and null', async () => {
      const [row] = await store.query(
        sql.rows(
          anything,
        )`SELECT toInt64(9007199254740991) AS big, toInt128(12) AS wide, nan AS none, CAST(-1.25 AS Decimal(5, 2)) AS exact`,
      );
      expect(row).to.deep.equal({ big: 9007199254740991, wide: 12, none: null, exact: -1.25 });
    });

    it('and one has another shape than was said, then that is an error', async () => {
      expect(await failureOf(store.query(sql.rows(value)`SELECT 1 AS v`))).to.be.instanceOf(z.ZodError);
    });

    it('and there are none, then there are none', async () => {
      expect(await store.query(sql.rows(anything)`SELECT 1 AS v WHERE 0`)).to.deep.equal([]);
    });

    it('and there is always one, then it comes by itself, and without it that is StoreUnavailable', async () => {
      expect(await store.queryOne(sql.rows(value)`SELECT 'x' AS v`)).to.deep.equal({ v: 'x' });
      const none = store.queryOne(sql.rows(value)`SELECT 'x' AS v WHERE false`);
      expect(await failureOf(none)).to.be.instanceOf(StoreUnavailable);
    });

    it('and the SQL is wrong, then that is an error with the code of the engine', async () => {
      const error = await failureOf(store.query(sql.rows(anything)`SELEKT 1`));
      expect(error).to.be.instanceOf(Error).and.to.have.property('code', '62');
    });
  });

  describe('when a query takes longer than it may', () => {
    it('then it is given up as a QueryTimeout, with bound values or without, and the next one is answered', async () => {
      const impatient = await openTestStore({ ...SERVING, queryTimeoutSeconds: 0.2 });
      const bound = `${NEVER_ENDING} WHERE number != {x: UInt32}`;
      const failures = [
        failureOf(impatient.query(sql.rows(anything)`${raw(NEVER_ENDING)}`)),
        failureOf(impatient.query(sql.rows(anything)`${raw(bound, { x: 7 })}`)),
      ];
      for (const failure of failures) expect(await failure).to.be.instanceOf(QueryTimeout);
      expect(await impatient.query(sql.rows(anything)`SELECT 1 AS n`)).to.deep.equal([{ n: 1 }]);
      await impatient.close();
    });

    itInCi('then no other statement of the connection is under that limit', async () => {
      const impatient = await openTestStore({ ...SERVING, queryTimeoutSeconds: 0.5 });
      const limit = async (): Promise<string> =>
        (await impatient.relay(`SELECT getSetting('max_execution_time') FORMAT TSV`, {})).toString().trim();
      const before = await limit();
      await impatient.query(sql.rows(anything)`${raw('SELECT {x: UInt32} AS n', { x: 1 })}`);
      await impatient.query(sql.rows(anything)`SELECT 1 AS n`);
      expect(await limit()).to.equal(before);
      expect(before).to.equal('0');
      await impatient.command(sql`SELECT sleep(0.7) FORMAT Null`);
      await impatient.close();
    });
  });

  describe('when a query needs more memory than it may use', () => {
    it('then it is given up as a QueryTooLarge, and others are answered', async () => {
      const patient = { ...SERVING, queryTimeoutSeconds: 300 };
      const [small, large] = await Promise.all([
        openTestStore({ ...patient, queryMemoryBytes: 32 * 1024 * 1024 }),
        openTestStore(patient),
      ]);
      const hungry = 'SELECT count() AS n FROM (SELECT number FROM numbers(3000000) GROUP BY number)';
      expect(await failureOf(small.query(sql.rows(anything)`${raw(hungry)}`))).to.be.instanceOf(
        QueryTooLarge,
      );
      expect(
        await failureOf(
          small.query(sql.rows(anything)`${raw(`${hungry} WHERE number != {x: UInt32}`, { x: 7 })}`),
        ),
      ).to.be.instanceOf(QueryTooLarge);
      expect(await small.query(sql.rows(anything)`SELECT 1 AS n`)).to.deep.equal([{ n: 1 }]);
      expect(await large.query(sql.rows(anything)`${raw(hungry)}`)).to.deep.equal([{ n: 3_000_000 }]);
      await Promise.all([small.close(), large.close()]);
    });
  });

  describe('when its bytes are read', () => {
    it('then they come in the format that is named, by the settings of the statement', async () => {
      const withCrlf = sql`SELECT ${bind({ v: 'a,b' }, 'String')} AS v`.with({
        output_format_csv_crlf_end_of_line: 1,
      });
      const bytes = await store.queryBytes(withCrlf, 'CSV');
      expect(bytes.toString()).to.equal('"a,b"\r\n');
    });

    // Queries, above and below, have these limits in `make test`.
    itInCi('then the limits are those of every query', async () => {
      const poor = await openTestStore({ ...SERVING, queryMemoryBytes: 32 * 1024 * 1024 });
      const hungry = sql`SELECT count() FROM (SELECT number FROM numbers(3000000) GROUP BY number)`;
      expect(await failureOf(poor.queryBytes(hungry, 'CSV'))).to.be.instanceOf(QueryTooLarge);
      await poor.close();
      const small = await openTestStore({ concurrency: 1, maxWaiting: 2, queryTimeoutSeconds: 0.5 });
      expect(await failureOf(small.queryBytes(raw(NEVER_ENDING), 'CSV'))).to.be.instanceOf(QueryTimeout);
      const running = [NEARLY_TOO_LONG, NEARLY_TOO_LONG].map((slow) =>
        small.query(sql.rows(anything)`${raw(slow)}`),
      );
      const waiting = failureOf(small.queryBytes(sql`SELECT 1`, 'CSV'));
      expect(await failureOf(small.queryBytes(sql`SELECT 1`, 'CSV'))).to.be.instanceOf(StoreOverloaded);
      expect(await waiting).to.be.instanceOf(StoreOverloaded);
      await Promise.allSettled(running);
      await small.close();
    });

    if (readsAreCancelled)
      itInCi('and nobody waits for them any more, then the query ends long before its time-out', async () => {
        const patient = await openTestStore({ ...SERVING, queryTimeoutSeconds: 60 });
        const gone = new AbortController();
        const abandoned = failureOf(
          patient.queryBytes(raw(`${NEVER_ENDING} WHERE number != {x: UInt32}`, { x: 1 }), 'CSV', gone),
        );
        setTimeout(() => {
          gone.abort();
        }, 100);
        expect(await abandoned).to.be.instanceOf(QueryAbandoned);
        await patient.close();
      });
  });

  describe('when there is no limit of memory', () => {
    const sent = `SELECT toUInt8(changed) AS n FROM system.settings WHERE name = 'max_memory_usage'`;

    for (const [what, queryMemoryBytes, n] of [
      ['0', 0, 0],
      ['a number of bytes', 1e9, 1],
    ] as const) {
      it(`(${what}), then ${n === 0 ? 'none' : 'that'} is sent: a server's user may be forbidden to have none`, async () => {
        const limited = await openTestStore({ ...SERVING, queryMemoryBytes });
        expect(await limited.query(sql.rows(anything)`${raw(sent)}`)).to.deep.equal([{ n }]);
        await limited.close();
      });
    }
  });

  if (readsAreCancelled)
    describe('when a query runs, and nobody waits for it any more', () => {
      for (const [what, text] of [
        ['', NEVER_ENDING],
        [' with bound values', `${NEVER_ENDING} WHERE number != {x: UInt32}`],
      ] as const) {
        it(`then one${what} ends long before its time-out, and the next one is answered`, async () => {
          const patient = await openTestStore({ ...SERVING, concurrency: 2, queryTimeoutSeconds: 60 });
          const gone = new AbortController();
          const abandoned = [1, 2].map((x) =>
            failureOf(patient.query(sql.rows(anything)`${raw(text, { x })}`, { signal: gone.signal })),
          );
          setTimeout(() => {
            gone.abort();
          }, 200);
          for (const each of abandoned) expect(await each).to.be.instanceOf(QueryAbandoned);
          expect(
            await patient.query(sql.rows(anything)`${raw('SELECT {x: UInt32} AS n', { x: 1 })}`),
          ).to.deep.equal([{ n: 1 }]);
          const running = `SELECT count() AS n FROM system.processes WHERE query LIKE '%sipHash64(number)%FROM numbers%'
          AND query NOT LIKE '%system.processes%'`;
          await until(async () => {
            const [row] = await patient.query(sql.rows(z.object({ n: z.number() }))`${raw(running)}`);
            return row?.n === 0 || undefined;
          });
          await patient.close();
        });
      }
    });

  describe('when a query waits in the queue', () => {
    const sleeping = 'SELECT sleep(0.3) AS n';

    it('and nobody waits for it any more, then it leaves the queue at once, and the others are answered', async () => {
      const narrow = await openTestStore({ concurrency: 1, maxWaiting: 2, queryTimeoutSeconds: 5 });
      const gone = new AbortController();
      const running = narrow.query(sql.rows(anything)`${raw(sleeping)}`);
      const abandoned = failureOf(
        narrow.query(sql.rows(anything)`${raw(sleeping)}`, { signal: gone.signal }),
      );
      const last = narrow.query(sql.rows(anything)`${raw(sleeping)}`);
      expect(narrow.waiting).to.equal(2);
      gone.abort();
      expect(narrow.waiting).to.equal(1);
      expect(await abandoned).to.be.instanceOf(QueryAbandoned);
      expect(await Promise.all([running, last])).to.deep.equal([[{ n: 0 }], [{ n: 0 }]]);
      await narrow.close();
    });

    it('and was abandoned before it came, then it never runs', async () => {
      const error = await failureOf(
        store.query(sql.rows(anything)`${raw(sleeping)}`, { signal: AbortSignal.abort() }),
      );
      expect(error).to.be.instanceOf(QueryAbandoned);
    });

    it('for longer than a query may take, then it is refused as StoreOverloaded, and the next is answered', async () => {
      const narrow = await openTestStore({ concurrency: 1, maxWaiting: 9, queryTimeoutSeconds: 0.5 });
      const running = [NEARLY_TOO_LONG, NEARLY_TOO_LONG].map((text) =>
        narrow.query(sql.rows(anything)`${raw(text)}`),
      );
      expect(await failureOf(narrow.query(sql.rows(anything)`SELECT 1 AS n`))).to.be.instanceOf(
        StoreOverloaded,
      );
      await Promise.allSettled(running);
      expect(await narrow.query(sql.rows(anything)`SELECT 1 AS n`)).to.deep.equal([{ n: 1 }]);
      await narrow.close();
    });

    it('and one that runs ahead comes, then that one does not wait', async () => {
      const narrow = await openTestStore({ concurrency: 1, maxWaiting: 1, queryTimeoutSeconds: 5 });
      const running = narrow.query(sql.rows(anything)`${raw(sleeping)}`);
      const waiting = narrow.query(sql.rows(anything)`${raw(sleeping)}`);
      const ended: string[] = [];
      void running.then(() => ended.push('sleeping'));
      await narrow.query(sql.rows(anything)`SELECT 1 AS n`, { priority: 'ahead' });
      await narrow.ping();
      ended.push('ahead');
      await Promise.all([running, waiting]);
      expect(ended).to.deep.equal(['ahead', 'sleeping']);
      await narrow.close();
    });
  });

  describe('when something takes long', () => {
    const long = 'SELECT sleep(3) AS n';

    itInCi('and it writes, then queries are answered meanwhile, as many as there are', async () => {
      let isWriting = true;
      const writing = store.command(raw(`${long} FORMAT Null`)).then(() => (isWriting = false));
      for (const n of [1, 2, 3]) {
        expect(await store.query(sql.rows(anything)`${raw('SELECT {n: UInt8} AS n', { n })}`)).to.deep.equal([
          { n },
        ]);
      }
      expect(isWriting).to.be.true;
      await writing;
    });
  });

  describe('when it is closed', () => {
    it('then whatever is asked of it is StoreUnavailable', async () => {
      const closed = await openTestStore();
      await closed.ping();
      await closed.close();
      for (const asked of [
        closed.ping(),
        closed.query(sql.rows(anything)`SELECT 1`),
        closed.command(sql`SELECT 1`),
        closed.insert('loads', ['load_id'], [[1]]),
        closed.relay('SELECT 1', {}),
      ]) {
        expect(await failureOf(asked)).to.be.instanceOf(StoreUnavailable);
      }
    });

    it('then what runs comes to its end first', async () => {
      const closing = await openTestStore();
      const answers = [1, 2, 3].map((n) =>
        closing.query(sql.rows(anything)`${raw('SELECT {n: UInt8} + sleep(0.2) AS n', { n })}`),
      );
      await closing.close();
      expect(await Promise.all(answers)).to.deep.equal([[{ n: 1 }], [{ n: 2 }], [{ n: 3 }]]);
    });

    it('twice, then that is no fault, and other stores go on', async () => {
      const closed = await openTestStore();
      await closed.close();
      await closed.close();
      expect(await store.query(sql.rows(anything)`SELECT 1 AS n`)).to.deep.equal([{ n: 1 }]);
    });
  });
});
