import type { Socket } from 'node:net';
import type { GatewayLimits } from './limits.js';

/** How many connections are open, in all and from each address. One too many is closed before it is read. */
export class Connections {
  readonly #limits: GatewayLimits;
  readonly #byAddress: Map<string, number> = new Map();
  readonly #refused: WeakSet<Socket> = new WeakSet();
  #count = 0;

  constructor(limits: GatewayLimits) {
    this.#limits = limits;
  }

  /** False for one too many. */
  admit(socket: Socket): boolean {
    const address = socket.remoteAddress ?? 'unknown';
    const fromAddress = (this.#byAddress.get(address) ?? 0) + 1;
    if (this.#count >= this.#limits.connectionsMax || fromAddress > this.#limits.connectionsPerAddressMax) {
      this.#refused.add(socket);
      return false;
    }
    this.#count += 1;
    this.#byAddress.set(address, fromAddress);
    socket.once('close', () => this.#leave(address));
    return true;
  }

  /** The server's parser may read a request of a refused connection all the same. */
  isRefused(socket: Socket): boolean {
    return this.#refused.has(socket);
  }

  #leave(address: string): void {
    this.#count -= 1;
    const left = (this.#byAddress.get(address) ?? 1) - 1;
    if (left === 0) this.#byAddress.delete(address);
    else this.#byAddress.set(address, left);
  }
}
