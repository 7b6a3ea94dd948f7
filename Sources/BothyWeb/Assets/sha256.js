// SHA-256 (FIPS 180-4) of a file, read piece by piece. Browsers offer it only for whole contents in memory, and on plain HTTP not at all.
"use strict";
(() => {
  const piece = 1 << 20; // bytes, some milliseconds of work: the page stays quick between two
  const [start, primes] = [[], []];
  for (let number = 2; primes.length < 64; number += 1) {
    let factor = 2;
    while (factor * factor <= number && number % factor) factor += 1;
    if (factor * factor <= number) continue; // no prime
    if (start.length < 8) start.push((number ** (1 / 2) * 2 ** 32) | 0);
    primes.push((number ** (1 / 3) * 2 ** 32) | 0);
  }
  const rounds = Int32Array.from(primes);
  const turn = (word, by) => (word >>> by) | (word << (32 - by));
  function take(state, words, view, at) {
    for (let i = 0; i < 16; i += 1) words[i] = view.getInt32(at + 4 * i);
    for (let i = 16; i < 64; i += 1) {
      const x = words[i - 15], y = words[i - 2];
      words[i] = words[i - 16] + (turn(x, 7) ^ turn(x, 18) ^ (x >>> 3)) + words[i - 7] + (turn(y, 17) ^ turn(y, 19) ^ (y >>> 10));
    }
    // One by one: taking a list apart costs as much as all the rest.
    let a = state[0], b = state[1], c = state[2], d = state[3], e = state[4], f = state[5], g = state[6], h = state[7];
    for (let i = 0; i < 64; i += 1) {
      const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + rounds[i] + words[i]) | 0;
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g; g = f; f = e; e = (d + one) | 0; d = c; c = b; b = a; a = (one + two) | 0;
    }
    state[0] += a; state[1] += b; state[2] += c; state[3] += d; state[4] += e; state[5] += f; state[6] += g; state[7] += h;
  }
  // - read: the bytes of a part of the file.
  globalThis.bothySHA256 = async (file, read) => {
    const [state, words] = [Int32Array.from(start), new Int32Array(64)];
    let from = 0;
    for (; file.size - from >= 64; from += piece) {
      const bytes = await read(file.slice(from, from + piece));
      const view = new DataView(bytes);
      for (let at = 0; at + 64 <= bytes.byteLength; at += 64) take(state, words, view, at);
      if (bytes.byteLength < piece) break;
    }
    // What is left of the last block, a one, zeros, and the length in bits.
    const rest = new Uint8Array(await read(file.slice(file.size - (file.size % 64))));
    const end = new Uint8Array(rest.length < 56 ? 64 : 128);
    end.set(rest);
    end[rest.length] = 0x80;
    const view = new DataView(end.buffer);
    view.setBigUint64(end.length - 8, BigInt(file.size) * 8n);
    for (let at = 0; at < end.length; at += 64) take(state, words, view, at);
    return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
  };
})();
