import pg from 'pg';

// Queries of this process to a database that aren't answered yet.

let asked = 0;

function counted<Given>(given: Given): Given {
  if (!(given instanceof Promise)) return given;
  asked += 1;
  const answered = () => {
    asked -= 1;
  };
  given.then(answered, answered);
  return given;
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
  for (let quiet = 0; quiet < 3; quiet = asked === 0 ? quiet + 1 : 0) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}
