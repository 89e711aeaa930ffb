// Drives the real window: starts a devtools build, clicks and types with xdotool like a person, and asks WebKit's inspector what is there.
import { execFileSync, spawn } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** until waits for f to give something true, asking again and again; it never sleeps longer than it must. */
export async function until(f, what, ms = 20000) {
  const end = performance.now() + ms;
  let last;
  while (performance.now() < end) {
    try {
      const v = await f();
      if (v) return v;
    } catch (e) {
      last = e;
    }
    await new Promise((r) => setTimeout(r, 40));
  }
  throw new Error(`timed out after ${ms} ms: ${what}${last ? ` (${last.message})` : ''}`);
}

const xdotool = (...args) => execFileSync('xdotool', args.map(String), { encoding: 'utf8' }).trim();

/** Window is one running app with its inspector. */
export class Window {
  static opened = 0;

  static async open(app, args, env) {
    const w = new Window();
    Window.opened++;
    w.port = 9400 + (process.pid % 500) + Window.opened;
    w.log = [];
    w.process = spawn(app, args, {
      env: { ...process.env, ...env, WEBKIT_INSPECTOR_HTTP_SERVER: `127.0.0.1:${w.port}` },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    w.exit = new Promise((r) => w.process.once('exit', (code, signal) => r({ code, signal })));
    for (const s of [w.process.stdout, w.process.stderr]) s.on('data', (d) => w.log.push(String(d)));
    await until(() => w.connect(), 'the inspector answers');
    await until(() => w.eval(`document.querySelector('#root')?.childElementCount > 0`), 'the page is there');
    w.place();
    return w;
  }

  async connect() {
    const page = await (await fetch(`http://127.0.0.1:${this.port}/`)).text();
    const path = /\/socket\/\d+\/\d+\/WebPage/.exec(page);
    if (!path) return false;
    this.pending = new Map();
    this.last = 0;
    this.socket = new WebSocket(`ws://127.0.0.1:${this.port}${path[0]}`);
    this.socket.onmessage = (e) => this.receive(JSON.parse(e.data));
    await new Promise((r, j) => {
      this.socket.onopen = r;
      this.socket.onerror = j;
    });
    return until(() => this.target, 'the inspector names a page', 3000);
  }

  receive(m) {
    if (m.method === 'Target.targetCreated' && m.params.targetInfo.type === 'page')
      this.target = m.params.targetInfo.targetId;
    if (m.method !== 'Target.dispatchMessageFromTarget') return;
    const answer = JSON.parse(m.params.message);
    this.pending.get(answer.id)?.(answer);
    this.pending.delete(answer.id);
  }

  call(method, params) {
    const id = ++this.last;
    return new Promise((resolve) => {
      this.pending.set(id, resolve);
      const message = JSON.stringify({ id, method, params });
      this.socket.send(
        JSON.stringify({
          id: 1e6 + id,
          method: 'Target.sendMessageToTarget',
          params: { targetId: this.target, message },
        }),
      );
    });
  }

  /** eval gives the JSON value of an expression in the page. */
  async eval(expression) {
    const { result, error } = await this.call('Runtime.evaluate', {
      expression: `JSON.stringify(${expression})`,
      returnByValue: true,
    });
    if (error || result.wasThrown) throw new Error(JSON.stringify(error ?? result.result));
    return result.result.value === undefined ? undefined : JSON.parse(result.result.value);
  }

  place() {
    const id = xdotool('search', '--sync', '--onlyvisible', '--pid', this.process.pid).split('\n').at(-1);
    const g = Object.fromEntries(
      xdotool('getwindowgeometry', '--shell', id)
        .split('\n')
        .map((l) => l.split('=')),
    );
    this.id = id;
    this.frame = { x: +g.X, y: +g.Y, height: +g.HEIGHT };
  }

  resize(width, height) {
    xdotool('windowsize', '--sync', this.id, width, height);
    xdotool('windowmove', this.id, 0, 0);
    this.place();
  }

  /** focus gives the window the keyboard, as a window manager does. */
  focus() {
    xdotool('windowfocus', '--sync', this.id);
  }

  /** type writes text where the focus is. */
  type(text) {
    xdotool('type', '--delay', 12, text);
  }

  test(id) {
    return `[data-testid="${id}"]`;
  }

  exists(id) {
    return this.eval(`!!document.querySelector('${this.test(id)}')`);
  }

  text(id) {
    return this.eval(`document.querySelector('${this.test(id)}')?.innerText ?? ''`);
  }

  see(id, ms) {
    return until(() => this.exists(id), `"${id}" is on the screen`, ms);
  }

  async rect(selector) {
    await this.eval(`document.querySelector('${selector}').scrollIntoView({block:'nearest'})`);
    const r = await this.eval(
      `(r=>({x:r.x,y:r.y,w:r.width,h:r.height}))(document.querySelector('${selector}').getBoundingClientRect())`,
    );
    const above = this.frame.height - (await this.eval('innerHeight'));
    return { x: this.frame.x + r.x, y: this.frame.y + above + r.y, w: r.w, h: r.h };
  }

  /** click presses the mouse on the middle of what carries the test id. */
  async click(id, inside = '') {
    await this.see(id);
    const r = await this.rect(`${this.test(id)} ${inside}`.trim());
    xdotool('mousemove', Math.round(r.x + r.w / 2), Math.round(r.y + r.h / 2), 'sleep', 0.03, 'click', 1);
  }

  /** drag pulls the mouse over an element, from and to in fractions of it. */
  async drag(id, from, to, button = 1) {
    const r = await this.rect(this.test(id));
    const at = (p) => [Math.round(r.x + p[0] * r.w), Math.round(r.y + p[1] * r.h)];
    const middle = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
    xdotool(
      ...['mousemove', ...at(from), 'sleep', 0.05, 'mousedown', button, 'sleep', 0.05],
      ...[
        'mousemove',
        ...at(middle),
        'sleep',
        0.05,
        'mousemove',
        ...at(to),
        'sleep',
        0.05,
        'mouseup',
        button,
        'sleep',
        0.05,
      ],
    );
  }

  /** wheel turns the mouse wheel over an element: positive is down. */
  async wheel(id, steps) {
    const r = await this.rect(this.test(id));
    xdotool('mousemove', Math.round(r.x + r.w / 2), Math.round(r.y + r.h / 2));
    for (let i = 0; i < Math.abs(steps); i++) xdotool('click', steps > 0 ? 5 : 4);
  }

  key(...keys) {
    xdotool('key', '--delay', 30, ...keys);
  }

  /** fill types into a text box and waits until it holds the text. */
  async fill(id, text) {
    await this.click(id);
    await until(
      () => this.eval(`document.activeElement === document.querySelector('${this.test(id)}')`),
      `"${id}" has the focus`,
    );
    this.key('ctrl+a');
    xdotool('type', '--delay', 12, text);
    await until(
      () => this.eval(`document.querySelector('${this.test(id)}').value === ${JSON.stringify(text)}`),
      `"${id}" holds the text`,
    );
  }

  /** put gives a field a value as typing or choosing would, once a select offers it: its list is a window of the system's, which the inspector does not see. */
  put(id, value) {
    return until(
      () =>
        this.eval(`(() => {
          const e = document.querySelector('${this.test(id)}');
          if (e.options && ![...e.options].some((o) => o.value === ${JSON.stringify(value)})) return false;
          Object.getOwnPropertyDescriptor(Object.getPrototypeOf(e), 'value').set.call(e, ${JSON.stringify(value)});
          e.dispatchEvent(new Event(e.options ? 'change' : 'input', { bubbles: true }));
          return true;
        })()`),
      `"${id}" takes ${value.slice(0, 40)}`,
    );
  }

  /** picture saves what the window shows, WebGL included. */
  async picture(path) {
    const width = await this.eval('innerWidth');
    const height = await this.eval('innerHeight');
    const { result, error } = await this.call('Page.snapshotRect', {
      x: 0,
      y: 0,
      width,
      height,
      coordinateSystem: 'Viewport',
    });
    if (error) throw new Error(error.message);
    writeFileSync(path, Buffer.from(result.dataURL.split(',')[1], 'base64'));
  }

  /** name types a path into the system's file dialog of that title, as a person does, and takes it. */
  async name(title, path) {
    const id = await until(() => {
      try {
        return xdotool('search', '--onlyvisible', '--name', `^${title}$`).split('\n').at(-1);
      } catch {
        return '';
      }
    }, `the dialog "${title}" is open`);
    xdotool('windowfocus', '--sync', id);
    xdotool('key', '--window', id, 'ctrl+l'); // to the line where a path is typed
    xdotool('key', 'ctrl+a', 'type', '--delay', 12, path);
    xdotool('key', 'Return');
    this.focus();
  }

  /** clipped lists what matches and runs over an edge of the window, but for what lies inside of one that may. */
  clipped(selector, inside = ':not(*)') {
    return this.eval(`[...document.querySelectorAll(${JSON.stringify(selector)})].filter((e) => {
      const r = e.getBoundingClientRect();
      return r.width > 0 && (r.right > innerWidth + 1 || r.left < -1) && !e.closest('${inside}');
    }).map((e) => e.outerHTML.slice(0, 80))`);
  }

  /** attribute gives an attribute of an element; '' where it has none. */
  attribute(id, name) {
    return this.eval(`document.querySelector('${this.test(id)}')?.getAttribute('${name}') ?? ''`);
  }

  /** lost keeps what a failed script leaves, a picture and the end of the log, and kills the app. */
  async lost(path) {
    if (this.process.exitCode !== null) return;
    await this.picture(path).catch(() => {});
    console.error(this.log.join('').split('\n').slice(-15).join('\n'));
    await this.kill();
  }

  /** close quits the app by its own way out; without a window manager there is no close button here. */
  async close() {
    void this.call('Runtime.evaluate', { expression: 'window.runtime.Quit()' }); // no answer comes from a page that is gone
    await Promise.race([this.exit, new Promise((r) => setTimeout(r, 5000))]);
    if (this.process.exitCode === null) this.process.kill();
    const ended = await this.exit;
    this.socket.close();
    return ended;
  }

  /** kill ends the app as a power cut does. */
  async kill() {
    this.process.kill('SIGKILL');
    return this.exit;
  }
}

/** workspaceIn finds the workspace below a folder in which something may have been said. */
export function workspaceIn(home) {
  for (const path of readdirSync(home, { recursive: true }))
    if (path.endsWith('readings.db')) return join(home, dirname(path));
  throw new Error('no workspace');
}
