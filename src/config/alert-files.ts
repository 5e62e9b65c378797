import { resolve } from 'node:path';
import type { Mistake } from './checks/mistake.js';
import type { AlertsConfig, ChannelConfig } from './schema/alerts-schema.js';
import { webhookMistake } from './values/network/alert-address.js';
import { caFileMistake } from './values/network/ca-file.js';
import { readSecretFile } from './values/secret-file.js';

/** The settings of alerts with the content of files beside registrar.yaml. */
export interface AlertFiles {
  readonly alerts: AlertsConfig;
  readonly mistakes: readonly Mistake[];
  readonly warnings: readonly Mistake[];
}

/** Reads the secrets of alerts from their files, and makes the paths of other files absolute. No mistake holds a secret. */
export function readAlertFiles(alerts: AlertsConfig, folder: string): AlertFiles {
  const mistakes: Mistake[] = [];
  const warnings: Mistake[] = [];
  const channels = alerts.channels.map((channel, index): ChannelConfig => {
    const secretIn = (way: 'email' | 'webhook', key: string, file: string | undefined) => {
      if (file === undefined) return undefined;
      const path = ['alerts', 'channels', index, way, key];
      const read = readSecretFile(resolve(folder, file));
      if ('mistake' in read) {
        mistakes.push({ path, text: read.mistake, showValue: true });
        return undefined;
      }
      if (read.warning !== null) warnings.push({ path, text: read.warning, showValue: true });
      const wrong = key === 'urlFile' ? webhookMistake(read.secret) : null;
      if (wrong !== null) mistakes.push({ path, text: `holds an address that ${wrong}` });
      return read.secret;
    };
    const caFileOf = (way: 'email' | 'webhook', file: string | undefined) => {
      if (file === undefined) return undefined;
      const text = caFileMistake(resolve(folder, file));
      if (text !== null)
        mistakes.push({ path: ['alerts', 'channels', index, way, 'caFile'], text, showValue: true });
      return resolve(folder, file);
    };
    const { email, webhook } = channel;
    if (email !== undefined) {
      const password = secretIn('email', 'passwordFile', email.passwordFile) ?? email.password;
      return { ...channel, email: { ...email, password, caFile: caFileOf('email', email.caFile) } };
    }
    if (webhook !== undefined) {
      const url = secretIn('webhook', 'urlFile', webhook.urlFile) ?? webhook.url;
      const secret = secretIn('webhook', 'secretFile', webhook.secretFile) ?? webhook.secret;
      return {
        ...channel,
        webhook: { ...webhook, url, secret, caFile: caFileOf('webhook', webhook.caFile) },
      };
    }
    return channel;
  });
  return { alerts: { ...alerts, channels }, mistakes, warnings };
}
