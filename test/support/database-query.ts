import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';

/** Queries a database, and waits for the answer as a query to a file does: tests look at both in the same way. */
export function queryDatabase<Row>(url: string, sql: string): Row[] {
  const done = new Int32Array(new SharedArrayBuffer(4));
  const { port1, port2 } = new MessageChannel();
  const workerData = { url, sql, done, port: port2 };
  const worker = new Worker(ASK, { eval: true, workerData, transferList: [port2] });
  Atomics.wait(done, 0, 0, ANSWER_MS);
  const answer = receiveMessageOnPort(port1)?.message as { rows?: Row[]; error?: string } | undefined;
  port1.close();
  void worker.terminate();
  if (answer?.rows === undefined) throw new Error(answer?.error ?? `no answer to ${sql}`);
  return answer.rows;
}

const ANSWER_MS = 60_000;

/** Numbers and conditions come as the ledger has them: each number is a number, a condition is 1 or 0. */
const ASK = `
const { workerData: { url, sql, done, port } } = require('node:worker_threads');
const pg = require('pg');
const parsers = { 20: Number, 1700: Number, 16: (text) => (text === 't' ? 1 : 0) };
const types = { getTypeParser: (type, format) => parsers[type] ?? pg.types.getTypeParser(type, format) };
const client = new pg.Client({ connectionString: url, types });
client.connect()
  .then(() => client.query('begin read only; ' + sql))
  .then((results) => port.postMessage({ rows: results.at(-1).rows }))
  .catch((error) => port.postMessage({ error: error.message }))
  .finally(() => {
    Atomics.store(done, 0, 1);
    Atomics.notify(done, 0);
    return client.end();
  });
`;
