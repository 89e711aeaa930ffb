// Real model servers for the scripts of the real window: llama-servers with tiny models, as tools/llama of the shared folder starts them.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { until } from './realwin.mjs';

const { SHARED, PLUMBLINE_LLAMA, PLUMBLINE_REQUIRE_SHARED } = process.env;
const serve = join(SHARED ?? '', 'tools/llama/serve.sh');

/** needLlama ends the script where there is no real server: with a reason, and as a failure where one is required. */
export const needLlama = (script) => {
  const missing = ['idefics3', 'qwen25vl'].filter(
    (kind) => !existsSync(join(PLUMBLINE_LLAMA ?? '', 'models', kind, 'text.gguf')),
  );
  if (PLUMBLINE_LLAMA && missing.length === 0 && existsSync(serve)) return;
  console.log(
    `${script}: left out: PLUMBLINE_LLAMA names no folder with a real model server (${[...missing, serve].join(', ')})`,
  );
  process.exit(PLUMBLINE_REQUIRE_SHARED ? 1 : 0);
};

/** freePort gives a port on loopback where nobody listens. */
export const freePort = () =>
  new Promise((resolve) => {
    const s = createServer().listen(0, '127.0.0.1', () => {
      const { port } = s.address();
      s.close(() => resolve(port));
    });
  });

const running = [];

/** startLlama starts a server on a port and waits until it is ready. */
export const startLlama = async (kind, port, ...more) => {
  running.push(spawn(serve, [PLUMBLINE_LLAMA, kind, String(port), ...more], { detached: true, stdio: 'ignore' }));
  await until(async () => (await fetch(`http://127.0.0.1:${port}/health`)).ok, `${kind} is ready`, 60000);
};

/** stopLlamas ends every server that was started. */
export const stopLlamas = () => {
  for (const p of running.splice(0)) process.kill(-p.pid, 'SIGKILL');
};
