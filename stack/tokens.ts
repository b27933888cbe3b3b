import { randomBytes } from 'node:crypto';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { exportSPKI, generateKeyPair, SignJWT } from 'jose';
import type { Role } from './types.js';

/** Bearer tokens of one workspace at the tool server: what the API may use, and what only the worker may. */
export interface ToolTokens {
  read: string;
  paid: string;
}

const secret = (): string => randomBytes(32).toString('base64url');

/** New tool tokens for every workspace; they live as long as the stack. */
export const newToolTokens = (workspaces: readonly string[]): Record<string, ToolTokens> =>
  Object.fromEntries(workspaces.map((workspace) => [workspace, { read: secret(), paid: secret() }]));

/** What the kitchen accepts (`KITCHEN_TOKENS`). */
export const kitchenTokens = (tokens: Record<string, ToolTokens>): string =>
  JSON.stringify(
    Object.entries(tokens).flatMap(([workspace, { read, paid }]) => [
      { token: read, workspace, scopes: ['read'] },
      { token: paid, workspace, scopes: ['read', 'paid'] },
    ]),
  );

export const newSecret = secret;

export interface DevelopmentKeys {
  publicKeyPem: string;
  sign(claims: { workspace: string; roles?: Role[]; sub?: string; expiresIn?: string }): Promise<string>;
}

/**
 * A key pair for development tokens, in memory only.
 * @throws Error in production, where tokens come from the identity provider.
 */
export const developmentKeys = async (): Promise<DevelopmentKeys> => {
  if (process.env['NODE_ENV'] === 'production') {
    throw new Error('NODE_ENV is production: no development tokens are made. Set CAMPANA_JWT_PUBLIC_KEY or CAMPANA_JWKS_URL.');
  }
  const { publicKey, privateKey } = await generateKeyPair('EdDSA', { extractable: true });
  return {
    publicKeyPem: await exportSPKI(publicKey),
    sign: ({ workspace, roles = ['seller', 'approver', 'operator'], sub = 'dev', expiresIn = '12h' }) =>
      new SignJWT({ ws: workspace, roles })
        .setProtectedHeader({ alg: 'EdDSA' })
        .setSubject(sub)
        .setIssuedAt()
        .setExpirationTime(expiresIn)
        .sign(privateKey),
  };
};

/** Writes a secret so that only its owner can read it, also where the file existed with a wider mode. */
export const writeSecret = async (path: string, value: string): Promise<void> => {
  await writeFile(path, value, { mode: 0o600 });
  await chmod(path, 0o600);
};

/** A key that must be the same at every start (hashes in the database were made with it). */
export const lastingSecret = async (path: string): Promise<string> => {
  if (!existsSync(path)) await writeSecret(path, secret());
  return (await readFile(path, 'utf8')).trim();
};
