import type { Socket } from 'node:net';
import type { GatewayLimits } from './limits.js';

/** How many connections are open, in all and from each address. One too many is closed before it is read. */
export class Connections {
  readonly #limits: GatewayLimits;
  readonly #byAddress: Map<string, number> = new Map();
  readonly #states: WeakMap<object, ConnectionState> = new WeakMap();
  #count = 0;

  constructor(limits: GatewayLimits) {
    this.#limits = limits;
  }

  /** False for one too many. */
  admit(socket: Socket): boolean {
    const address = socket.remoteAddress ?? 'unknown';
    const fromAddress = (this.#byAddress.get(address) ?? 0) + 1;
    const isRefused = this.#count >= this.#limits.connectionsMax || fromAddress > this.#limits.connectionsPerAddressMax;
    this.#states.set(socket, { isRefused, answering: 0 });
    if (isRefused) return false;
    this.#count += 1;
    this.#byAddress.set(address, fromAddress);
    socket.once('close', () => this.#leave(address));
    return true;
  }

  /** What is known of a connection; `undefined` of one that was never admitted or refused. */
  stateOf(socket: object): ConnectionState | undefined {
    return this.#states.get(socket);
  }

  #leave(address: string): void {
    this.#count -= 1;
    const left = (this.#byAddress.get(address) ?? 1) - 1;
    if (left === 0) this.#byAddress.delete(address);
    else this.#byAddress.set(address, left);
  }
}

export interface ConnectionState {
  /** The server's parser may read a request of a refused connection all the same. */
  readonly isRefused: boolean;
  /** Requests that are being answered on it. */
  answering: number;
}
