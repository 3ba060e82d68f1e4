import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MisuseError } from 'holdfast/turn';

export interface Bind {
  readonly host: string;
  readonly port: number;
  readonly hasKeys: boolean;
  readonly hasPublicHosts: boolean;
}

/** An address that others can reach needs keys and the names it answers to. There is no override. */
export function checkBind(bind: Bind): void {
  if (isLoopback(bind.host) || (bind.hasKeys && bind.hasPublicHosts)) return;
  const missing = [bind.hasKeys ? '' : 'keys', bind.hasPublicHosts ? '' : 'public hosts']
    .filter((what) => what !== '')
    .join(' and ');
  throw new MisuseError(
    'bind_needs_keys',
    `The gateway does not listen on ${bind.host} without ${missing}: others could reach it. Give it both keys and public hosts (--key and --public-host on the command line), or listen on 127.0.0.1.`,
  );
}

/** Resolves with the port that was given. */
export function listen(server: Server, bind: Bind): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(bindError(error, bind)));
    server.listen(bind.port, bind.host, () => resolve(portOf(server.address())));
  });
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

function portOf(address: AddressInfo | string | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function bindError(error: NodeJS.ErrnoException, { host, port }: Bind): Error {
  if (error.code === 'EADDRINUSE') {
    return new MisuseError(
      'port_in_use',
      `Port ${port} on ${host} is in use. Stop what uses it, or choose another port.`,
    );
  }
  if (error.code === 'EACCES') {
    return new MisuseError(
      'port_not_allowed',
      `This user may not listen on port ${port} of ${host}. Choose a port above 1023.`,
    );
  }
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') {
    return new MisuseError(
      'host_not_here',
      `The host ${host} is no address of this machine. Listen on 127.0.0.1, or on an address that it has.`,
    );
  }
  return error;
}
