import { removeKeyRings, testEncryptedFiles } from './pgp-setup.js';

removeKeyRings();

testEncryptedFiles('rsa2048');
