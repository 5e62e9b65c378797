import pg from 'pg';

// Queries of this process to a database that aren't answered yet.

let pending = 0;

function counted<Value>(value: Value): Value {
  if (!(value instanceof Promise)) return value;
  pending += 1;
  const answered = () => {
    pending -= 1;
  };
  value.then(answered, answered);
  return value;
}

const { query } = pg.Client.prototype;
const { connect } = pg.Pool.prototype;
pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
  return counted(Reflect.apply(query, this, args));
} as typeof query;
pg.Pool.prototype.connect = function (this: pg.Pool, ...args: unknown[]) {
  return counted(Reflect.apply(connect, this, args));
} as typeof connect;

/** Resolves once every query is answered, and none follows. */
export async function allAnswered(): Promise<void> {
  for (let quiet = 0; quiet < 3; quiet = pending === 0 ? quiet + 1 : 0) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}
