import { expect } from 'chai';
import { ApiError, apiError } from '../../../src/api/errors/api-error.js';
import { requestError } from '../../../src/http/error-handler.js';
import { UserError } from '../../../src/lib/user-error.js';
import { InvalidParamsError } from '../../../src/api/parameters.js';
import { UnknownProvider } from '../../../src/stations/provider-choice.js';
import { AmbiguousCity, UnknownStation } from '../../../src/stations/directory.js';
import {
  isConnectionLost,
  QueryTimeout,
  QueryTooLarge,
  serverError,
  StoreDamaged,
  storeError,
  StoreNotWritable,
  StoreOverloaded,
  StoreUnavailable,
} from '../../../src/store/store-errors.js';

/** The part of an error that no caller may ever see. */
const INNER = 'SELECT secret FROM pairs at /srv/forecast/data (stack)';

describe('apiError', () => {
  it('given an ApiError, then it is told as it is', () => {
    const error = new ApiError('UNAUTHORIZED', 'no key');
    expect(apiError(error)).to.equal(error);
  });

  it('given faulty parameters, then all of them are named in the message and in the details', () => {
    const faults = [
      {
        parameter: 'days',
        message: 'must be a whole number from 1 to 365; use date_from and date_to for a longer window',
      },
      { parameter: 'metric', message: 'is worse' },
    ];
    for (const some of [faults.slice(0, 1), faults]) {
      const { code, details, message } = apiError(new InvalidParamsError(some));
      expect([code, details]).to.deep.equal(['INVALID_PARAMETER', some]);
      for (const fault of some) expect(message).to.contain(`${fault.parameter} ${fault.message}`);
    }
    expect(apiError(new InvalidParamsError(faults)).message).to.contain('2 errors');
  });

  const TOLD: [what: string, error: Error, code: string][] = [
    ['an unknown provider', new UnknownProvider('Unknown provider "x"'), 'PROVIDER_NOT_FOUND'],
    ['an unknown station', new UnknownStation('Unknown station "Atlantis"'), 'STATION_NOT_FOUND'],
    ['an ambiguous city', new AmbiguousCity('"Portland" may be KPDX or KPWM'), 'AMBIGUOUS_CITY'],
  ];
  for (const [what, error, code] of TOLD) {
    it(`given ${what}, then it is ${code}, in its own words`, () => {
      expect(apiError(error)).to.include({ code, message: error.message });
      expect(apiError(error).details).to.equal(undefined);
    });
  }

  const HIDDEN: [what: string, error: unknown, code: string][] = [
    ['a time-out', new QueryTimeout(INNER), 'QUERY_TIMEOUT'],
    ['a query that needs too much memory', new QueryTooLarge(INNER), 'QUERY_TOO_LARGE'],
    ['an overload', new StoreOverloaded(INNER), 'OVERLOADED'],
    ['an engine that cannot be reached', new StoreUnavailable(INNER), 'STORE_UNAVAILABLE'],
    ['a query that needs more room on disk than there is', new StoreNotWritable(INNER), 'STORE_UNAVAILABLE'],
    ['an error that nobody thought of', new Error(INNER), 'INTERNAL'],
    ['an error with a cause', new TypeError('x', { cause: new Error(INNER) }), 'INTERNAL'],
    ['an error with a status of its own', Object.assign(new Error(INNER), { status: 404 }), 'INTERNAL'],
    ['a thrown text', INNER, 'INTERNAL'],
    ['a thrown object', { message: INNER, code: 'UNAUTHORIZED', status: 400 }, 'INTERNAL'],
    ['nothing at all', undefined, 'INTERNAL'],
    ['a path that is no percent-encoding', new URIError(INNER), 'INVALID_PARAMETER'],
    ['what Express makes of it', Object.assign(new Error(INNER), { status: 400 }), 'INVALID_PARAMETER'],
  ];
  for (const [what, error, code] of HIDDEN) {
    it(`given ${what}, then it is ${code}, and nothing of its inner side is told`, () => {
      const answer = requestError(error);
      expect(answer.code).to.equal(code);
      expect(JSON.stringify(answer) + answer.message).not.to.match(/SELECT|secret|srv|stack/);
      expect(answer.message).to.match(/^[A-Z][^\n]+$/);
      expect(answer.details).to.equal(undefined);
    });
  }
});

const withCode = (code: string, message = 'x') => Object.assign(new Error(message), { code });

describe('storeError', () => {
  const KINDS: [what: string, error: Error, kind: new (message: string) => Error][] = [
    ['TIMEOUT_EXCEEDED', withCode('159'), QueryTimeout],
    ['TOO_SLOW', withCode('160'), QueryTimeout],
    ['the time-out of the client', new Error('Timeout error.'), QueryTimeout],
    ['TOO_MANY_SIMULTANEOUS_QUERIES', withCode('202'), StoreOverloaded],
    ['QUOTA_EXCEEDED', withCode('201'), StoreOverloaded],
    ['the memory limit of the server', withCode('241', '(total) memory limit exceeded'), StoreOverloaded],
    ['the memory limit of a user', withCode('241', 'User memory limit exceeded'), StoreOverloaded],
    ['the memory limit of a query', withCode('241', 'Query memory limit exceeded'), QueryTooLarge],
    ['the rows that a query may read', withCode('158'), QueryTooLarge],
    ['the bytes that it may read', withCode('307'), QueryTooLarge],
    ['its temporary data', withCode('396', 'Limit for temporary files size exceeded'), QueryTooLarge],
    ['the size of its sets', withCode('191'), QueryTooLarge],
    ['a wrong password', withCode('516'), StoreUnavailable],
    ['a query that an operator cancelled', withCode('394'), StoreUnavailable],
    ['a shard that cannot be reached', withCode('279'), StoreUnavailable],
    ['a full disk', withCode('243', 'Cannot reserve 1.00 MiB, not enough space'), StoreNotWritable],
    ['a disk that is full', withCode('75', 'Cannot write: No space left on device'), StoreNotWritable],
    ['a disk that may only be read', withCode('76', 'errno: 30, Read-only file system'), StoreNotWritable],
    ['a refused connection', withCode('ECONNREFUSED'), StoreUnavailable],
    ['a connection that was cut', withCode('ECONNRESET'), StoreUnavailable],
    ['a host that is not there', withCode('ENOTFOUND'), StoreUnavailable],
    ['a socket that hung up', new Error('socket hang up'), StoreUnavailable],
    ['a closed engine', new Error('ChdbConnection is closed'), StoreUnavailable],
  ];
  for (const [what, error, kind] of KINDS) {
    it(`given ${what}, then it is a ${kind.name}, and its cause is kept`, () => {
      const named = storeError(error);
      expect(named).to.be.instanceOf(kind);
      expect((named as Error).cause).to.equal(error);
    });
  }

  it('given a statement that took too long on a cluster, then a command can tell it in one line', () => {
    const told = withCode('159', 'Distributed DDL task is not finished on 1 of 4 hosts');
    const error = storeError(told);
    expect(error).to.be.instanceOf(QueryTimeout);
    expect(error).to.be.instanceOf(UserError);
    expect((error as Error).message).to.equal(told.message);
  });

  it('given a server that lost its connection, then a read is asked again, and nothing is damaged', () => {
    // As they are told when a replica is killed, code 32 also where a part lacks bytes.
    const told = [
      ['32', 'Attempt to read after eof: while receiving packet from 127.0.0.1:9000: While executing Remote'],
      ['210', 'Connection reset by peer, while reading from socket (127.0.0.1:9000)'],
      ['279', 'All connection tries failed. Log: \n\nCode: 210. DB::NetException: Connection refused'],
    ].map(([code = '', message]) => withCode(code, message));
    for (const error of told) {
      expect(isConnectionLost(error), error.message).to.be.true;
      expect(storeError(error), error.message).to.be.instanceOf(StoreUnavailable);
    }
    const damaged = withCode('32', 'Attempt to read after eof: (while reading from part x)');
    expect(isConnectionLost(damaged)).to.be.false;
    expect(storeError(damaged)).to.be.instanceOf(StoreDamaged);
  });

  it('given an error of parsing, then the store is damaged only if it names a part, file or checksum', () => {
    const told = [
      ['27', "Cannot parse input: expected '\\t' before: 'x': (at row 1)"],
      ['32', 'Attempt to read after eof: while executing Values'],
      ['33', 'Cannot read all data. Bytes read: 3. Bytes expected: 8.: While executing TabSeparated'],
      ['117', 'Unknown field found while parsing JSONEachRow format: high'],
    ].map(([code = '', message]) => withCode(code, message));
    for (const error of told) expect(storeError(error), error.message).to.equal(error);
    const ofTheStore = [
      [
        '33',
        'Cannot read all data. Bytes read: 3. Bytes expected: 8.: (while reading column high_f): /data/store/1/high_f.bin',
      ],
      ['27', "Cannot parse input: expected 'columns format version: 1': in part 202601_1_1_0"],
      ['117', 'Invalid checksums.txt'],
    ].map(([code = '', message]) => withCode(code, message));
    for (const error of ofTheStore) expect(storeError(error), error.message).to.be.instanceOf(StoreDamaged);
  });

  it('given an error of SQL, then it comes back as it is', () => {
    const error = withCode('62', 'Syntax error');
    for (const name of [storeError, serverError]) expect(name(error)).to.equal(error);
    expect(storeError('text')).to.equal('text');
  });

  it('given an error without a number, then it is of the way to a server, and unknown without one', () => {
    for (const error of [
      withCode('HPE_INVALID_CONSTANT'),
      new Error('<html>502 Bad Gateway'),
      new Error(''),
    ]) {
      expect(serverError(error)).to.be.instanceOf(StoreUnavailable);
      expect(storeError(error)).to.equal(error);
    }
  });

  it('given an error that has been named, then it keeps its name', () => {
    for (const kind of [QueryTimeout, QueryTooLarge, StoreOverloaded, StoreUnavailable, StoreNotWritable]) {
      const error = new kind('x');
      expect(serverError(error)).to.equal(error);
    }
  });
});

describe('isConnectionLost', () => {
  it('given a connection that broke or was refused, then it is; given an answer, then it is not', () => {
    const isLost = (error: unknown): boolean => isConnectionLost(error);
    const lost = ['ECONNRESET', 'ECONNREFUSED', 'EPIPE'].map((code) => withCode(code));
    for (const error of [...lost, new Error('socket hang up')])
      expect(isLost(error), String(error)).to.be.true;
    const answers = ['62', '159', '241', 'HPE_INVALID_CONSTANT'].map((code) => withCode(code));
    const others = [new Error('Timeout error.'), new Error('x'), new StoreUnavailable('x'), 'ECONNRESET'];
    for (const error of [...answers, ...others]) expect(isLost(error), String(error)).to.be.false;
  });
});
