import { lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

// Addresses of the public network. A source file of somebody else must not reach what is behind this machine's walls, such as a
// router or a cloud's own address for credentials.

/** Two lists, because one of IPv6 has all addresses of IPv4 as well, below ::ffff:0:0. */
const [PRIVATE_4, PRIVATE_6] = [new BlockList(), new BlockList()];
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const)
  PRIVATE_4.addSubnet(network, bits);
// All IPv6 but global unicast; of that the ranges in which an address of IPv4 is hidden, and those of documentation.
for (const [network, bits] of [
  ['::', 3],
  ['4000::', 2],
  ['8000::', 1],
  ['2001::', 32],
  ['2001:db8::', 32],
  ['2002::', 16],
] as const)
  PRIVATE_6.addSubnet(network, bits, 'ipv6');

const isPrivateAddress = (address: string): boolean =>
  isIP(address) === 6 ? PRIVATE_6.check(address, 'ipv6') : isIP(address) === 0 || PRIVATE_4.check(address);

/** An address that is refused; the message does not have it. */
export class PrivateAddressError extends Error {
  constructor() {
    super('an address of a private network, which needs local: true');
  }
}

/** @throws PrivateAddressError for a host that is an address of a private network: no name is looked up for it */
export function checkPublicHost(hostname: string): void {
  const bare = hostname.replace(/^\[|\]$/g, '');
  if (isIP(bare) !== 0 && isPrivateAddress(bare)) throw new PrivateAddressError();
}

/** Looks up a name, and refuses it if any of its addresses is private: the connection goes to one of these. */
export const lookupPublic: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, []);
    if (addresses.some(({ address }) => isPrivateAddress(address)))
      return callback(new PrivateAddressError(), []);
    const [first] = addresses;
    if (options.all === true) callback(null, addresses);
    else callback(null, first?.address ?? '', first?.family);
  });
};
