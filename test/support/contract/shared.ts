import type { Store } from '../../../src/store/store.js';
import { type Contract, sharedContract, sharedStore } from './contract.js';

// The contract data, loaded once a process, for suites that only read them: there from the first hook of a suite on.

export let store: Store;
export let contract: Contract;

before(async () => {
  store = await sharedStore();
  contract = await sharedContract();
});
