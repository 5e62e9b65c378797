import { type AddressInfo, createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { send } from '../../../src/alerts/channels/send.js';
import type { AlertEntry } from '../../../src/alerts/message.js';
import { mailServer, readableMail } from '../../support/mail-server.js';
import { tempFolder } from '../../support/temp-folder.js';
import { AUTHORITY_FILE } from '../../support/tls-server.js';
import { channelOf, oneCause, sending } from '../message-of.js';

const MAIL = {
  host: '127.0.0.1',
  from: 'registrar@example.com',
  to: ['ops@example.com', 'team@example.com'],
};

it('a mail has the problem in its subject and the remedy in plain text, and loads nothing from elsewhere', async () => {
  const { port, mails } = await mailServer();
  expect(await send(channelOf({ email: { ...MAIL, port } }), oneCause(), sending(tempFolder()))).toBeNull();
  const [mail] = mails;
  expect(mail).toMatchObject({ from: MAIL.from, to: MAIL.to, isEncrypted: false });
  const text = readableMail(mail ?? { from: '', to: [], raw: '', isEncrypted: false });
  expect(text).toContain('Subject: [Registrar] academy: 412 rows need attention (learner-unknown)\r\n');
  expect(text).toContain(
    '  The platform does not know the learner.\r\n  Look for a typo.\r\n  > registrar map\r\n',
  );
  expect(text).toContain('Auto-Submitted: auto-generated');
  expect(text).not.toMatch(/https?:|src=|url\(/);
  expect(text).not.toContain('lovelace');
});

it('an urgent mail says so in its subject and links to the console; its recovery isn’t urgent', async () => {
  const { port, mails } = await mailServer();
  const email = channelOf({ email: { ...MAIL, port } });
  const message = { ...oneCause(), console: 'https://registrar.example' };
  const as = (entry: Partial<AlertEntry>) => ({
    ...message,
    entries: message.entries.map((one) => ({ ...one, ...entry })),
  });
  await send(email, as({ isUrgent: true }), sending(tempFolder()));
  await send(email, as({ isUrgent: true, event: 'recovered' }), sending(tempFolder()));
  const [opened = '', recovered = ''] = mails.map(readableMail);
  expect(opened).toContain('Subject: [Registrar] Urgent: academy: 412 rows');
  expect(recovered).toContain('Subject: [Registrar] academy: 412 rows');
  expect(opened).toContain('Console: https://registrar.example');
});

it('a channel with details names files', async () => {
  const { port, mails } = await mailServer();
  await send(channelOf({ email: { ...MAIL, port }, details: true }), oneCause(), sending(tempFolder()));
  expect(mails.map(readableMail).join()).toContain('Files: ada-lovelace.csv');
});

it('no text of a mail adds a header to it', async () => {
  const { port, mails } = await mailServer();
  const hostile = 'x\r\nBcc: eve@example.com\r\n\r\n<script>alert(1)</script>';
  await send(channelOf({ email: { ...MAIL, port } }), oneCause({ title: hostile }), sending(tempFolder()));
  const [mail] = mails;
  expect(mail?.to).toEqual(MAIL.to);
  const text = mails.map(readableMail).join();
  expect(text).not.toMatch(/^Bcc:/im);
});

it('a channel with a CA file encrypts mail and checks the server’s certificate', async () => {
  const { port, mails } = await mailServer();
  const email = { ...MAIL, port, caFile: AUTHORITY_FILE };
  expect(await send(channelOf({ email }), oneCause(), sending(tempFolder()))).toBeNull();
  expect(mails).toMatchObject([{ isEncrypted: true }]);
  // The same server by an address that its certificate doesn't name, and that isn't this machine by name.
  const elsewhere = { ...email, host: '0.0.0.0' };
  expect(await send(channelOf({ email: elsewhere }), oneCause(), sending(tempFolder()))).toMatch(
    /^(offers no usable encryption|did not accept the mail) \((ETLS|ESOCKET|ECONNECTION|ERR_TLS_CERT_ALTNAME_INVALID)/,
  );
  expect(mails).toHaveLength(1);
});

it('mail to another machine is always encrypted', async () => {
  const { port, mails } = await mailServer({ disabledCommands: ['STARTTLS'] });
  const email = { ...MAIL, port, host: '0.0.0.0' };
  expect(await send(channelOf({ email }), oneCause(), sending(tempFolder()))).toMatch(/encryption/);
  expect(mails).toEqual([]);
});

it('a password is sent, and a refused one is reported without the server’s words', async () => {
  const credentials: string[] = [];
  const { port, mails } = await mailServer({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth({ username, password }, _, callback) {
      credentials.push(`${username}:${password}`);
      if (password === 'right') callback(null, { user: username });
      else callback(new Error('no such user: secret-detail'));
    },
  });
  const email = (password: string) => ({ ...MAIL, port, user: 'registrar', password });
  expect(await send(channelOf({ email: email('right') }), oneCause(), sending(tempFolder()))).toBeNull();
  expect(await send(channelOf({ email: email('wrong') }), oneCause(), sending(tempFolder()))).toBe(
    'refused the user name or the password (EAUTH, SMTP 535)',
  );
  expect(credentials).toEqual(['registrar:right', 'registrar:wrong']);
  expect(mails).toHaveLength(1);
});

it('refused addresses are a failure where all are, and in a test where one is', async () => {
  const refuse = (refused: string) =>
    mailServer({
      onRcptTo({ address }, _, callback) {
        callback(address.startsWith(refused) ? new Error(`who is ${address}`) : null);
      },
    });
  const all = await refuse('');
  expect(
    await send(channelOf({ email: { ...MAIL, port: all.port } }), oneCause(), sending(tempFolder())),
  ).toBe('refused the sender or all addresses (EENVELOPE, SMTP 550)');
  const one = await refuse('team');
  const channel = channelOf({ email: { ...MAIL, port: one.port } });
  expect(await send(channel, oneCause(), sending(tempFolder()))).toBeNull();
  expect(await send(channel, { ...oneCause(), isTest: true }, sending(tempFolder()))).toBe(
    'refused 1 of 2 addresses',
  );
});

it('the mail to a server that never ends its greeting is abandoned', async () => {
  const flooding = createServer((socket) => {
    const timer = setInterval(() => socket.write('x'.repeat(10_000)), 5);
    socket.on('error', () => {}).on('close', () => clearInterval(timer));
  });
  await new Promise<void>((resolve) => flooding.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void flooding.close());
  const { port } = flooding.address() as AddressInfo;
  const channel = channelOf({ email: { ...MAIL, port }, timeLimit: '300ms' });
  expect(await send(channel, oneCause(), sending(tempFolder()))).toMatch(
    /^(took longer than 0.3 s|did not accept the mail \(E\w+\)|can't be reached: 127\.0\.0\.1:\d+ doesn't answer in time)$/,
  );
});

it('the mail to a silent or absent server is abandoned', async () => {
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  onTestFinished(() => void silent.close());
  const channel = channelOf({ email: { ...MAIL, port }, timeLimit: '200ms' });
  expect(await send(channel, oneCause(), sending(tempFolder()))).toMatch(
    /^(took longer than 0.2 s|can't be reached: 127\.0\.0\.1:\d+ doesn't answer in time)$/,
  );
});

it.each([
  ['that is down', '127.0.0.1', '127.0.0.1:1 refuses the connection'],
  ['without an address', 'mail.invalid', 'the name of mail.invalid:1 has no address'],
])('a server %s is named with what is wrong', async (_, host, fault) => {
  const channel = channelOf({ email: { ...MAIL, host, port: 1 } });
  expect(await send(channel, oneCause(), sending(tempFolder()))).toBe(`can't be reached: ${fault}`);
});
