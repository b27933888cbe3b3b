import { expect, it } from 'vitest';
import { createLog } from '../../activities/log.js';

it('a line of the log holds neither secrets nor people, of API and worker alike; the class of an error stays', () => {
  for (const process of ['api', 'worker'] as const) {
    const lines: string[] = [];
    const log = createLog('info', process, { write: (line) => void lines.push(line) });
    log.info(
      {
        name: 'TypeError',
        run_id: 'run_1',
        token: 'secret',
        email: 'a@example.com',
        phone: '55',
        rfc: 'X',
        person: { name: 'Ana', email: 'a@example.com' },
        headers: { authorization: 'Bearer secret', cookie: 'secret' },
      },
      'failed',
    );
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      process,
      name: 'TypeError',
      run_id: 'run_1',
      token: '[redacted]',
      email: '[redacted]',
      phone: '[redacted]',
      rfc: '[redacted]',
      person: { name: '[redacted]', email: '[redacted]' },
      headers: { authorization: '[redacted]', cookie: '[redacted]' },
    });
  }
});
