"use strict";

const page = JSON.parse(document.getElementById("data").textContent);
const at = (id) => document.getElementById(id);
const last = page.length - 1;
let current = 0;
let timer = null;

// Steps lie in compressed chunks, unpacked when they are shown; the latest few are kept.

const chunks = new Map();

function chunk(number) {
  const found = chunks.get(number) ?? unpack(page.chunks[number]);
  chunks.delete(number);
  chunks.set(number, found);
  if (chunks.size > 6) chunks.delete(chunks.keys().next().value);
  return found;
}

async function unpack(base64) {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).json();
}

async function frameAt(index) {
  return (await chunk(Math.floor(index / page.chunkLength)))[index % page.chunkLength];
}

// The picture: tiles from the sheet, then darkness, night and sleep as the game draws them.

const size = page.tileSize;
const [windowRows, columns] = page.window;
const width = columns * size;
const height = windowRows * size;
const NIGHT = [0, 16, 64];
const SLEEP = [0, 0, 16];
const vignette = makeVignette();
let sheet = null;

async function loadSheet() {
  const image = new Image();
  image.src = page.sheet;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.width;
  canvas.height = image.height;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.drawImage(image, 0, 0);
  sheet = context.getImageData(0, 0, image.width, image.height);
}

function draw(frame) {
  const rows = frame.tiles.length / columns;
  const canvas = at("picture");
  if (canvas.height !== rows * size || canvas.width !== width) {
    canvas.width = width;
    canvas.height = rows * size;
  }
  const context = canvas.getContext("2d");
  const picture = context.createImageData(width, rows * size);
  for (let cell = 0; cell < frame.tiles.length; cell++) copyTile(frame, cell, picture.data);
  if (frame.day !== undefined || frame.asleep) veil(frame, picture.data);
  context.putImageData(picture, 0, 0);
}

function copyTile(frame, cell, pixels) {
  const tile = frame.tiles.charCodeAt(cell) - page.firstCharacter;
  const isLit = frame.light === undefined || cell >= frame.light.length;
  const light = isLit ? 1 : (frame.light.charCodeAt(cell) - page.firstCharacter) / 255;
  const left = (tile % page.sheetColumns) * size;
  const top = Math.floor(tile / page.sheetColumns) * size;
  for (let y = 0; y < size; y++) {
    let from = ((top + y) * sheet.width + left) * 4;
    let to = ((Math.floor(cell / columns) * size + y) * width + (cell % columns) * size) * 4;
    for (let x = 0; x < size; x++, from += 4, to += 4) {
      for (let colour = 0; colour < 3; colour++) pixels[to + colour] = light * sheet.data[from + colour];
      pixels[to + 3] = 255;
    }
  }
}

function veil(frame, pixels) {
  const day = frame.day ?? 1;
  const pixel = [0, 0, 0];
  for (let place = 0; place < width * height; place++) {
    for (let colour = 0; colour < 3; colour++) pixel[colour] = pixels[place * 4 + colour];
    if (day !== 1) darken(pixel, day, place, frame.t);
    if (frame.asleep) fallAsleep(pixel);
    for (let colour = 0; colour < 3; colour++) pixels[place * 4 + colour] = pixel[colour];
  }
}

function darken(pixel, day, place, t) {
  const mask = Math.max(0, 2 * (0.5 - day)) * vignette[place];
  const grain = (mask ? noise(place, t) : 0) * 95 + 32;
  const night = pixel.map((value) => (1 - mask) * value + mask * grain);
  const grey = brightness(night);
  for (let colour = 0; colour < 3; colour++) {
    const tone = page.game === "classic" ? 0.4 * night[colour] + 0.6 * grey : night[colour];
    pixel[colour] = day * pixel[colour] + (1 - day) * (0.5 * tone + 0.5 * NIGHT[colour]);
  }
}

function fallAsleep(pixel) {
  const grey = brightness(pixel);
  for (let colour = 0; colour < 3; colour++) {
    pixel[colour] = page.game === "classic" ? 0.5 * grey + 0.5 * SLEEP[colour] : 0.5 * pixel[colour];
  }
}

function brightness([red, green, blue]) {
  return 0.299 * red + 0.587 * green + 0.114 * blue;
}

function noise(place, t) {
  let hash = Math.imul(place + 1, 0x9e3779b1) ^ Math.imul(t + 1, 0x85ebca77);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return ((hash ^ (hash >>> 15)) >>> 0) / 2 ** 32;
}

function makeVignette() {
  const values = new Float32Array(width * height);
  const far = Math.hypot(height >> 1, width >> 1);
  for (let place = 0; place < values.length; place++) {
    const row = Math.floor(place / width);
    const column = place % width;
    const down = (2 * row) / (height - 1) - 1;
    const right = (2 * column) / (width - 1) - 1;
    values[place] = page.game === "classic"
      ? 1 - Math.exp((-0.5 * (down ** 2 + right ** 2)) / 0.25)
      : Math.hypot(row - (height >> 1), column - (width >> 1)) / far;
  }
  return values;
}

// One step on the page.

async function show(index) {
  current = Math.min(Math.max(index, 0), last);
  const asked = current;
  const frame = await frameAt(asked);
  if (asked !== current) return;
  draw(frame);
  tell(frame);
}

function tell(frame) {
  const news = page.achievements.filter((goal) => goal.frame === current).map((goal) => goal.label);
  at("slider").value = current;
  at("slider").setAttribute("aria-valuetext", `step ${frame.t}`);
  at("step").textContent = frame.t.toLocaleString("en");
  at("total").textContent = frame.total.toFixed(1);
  at("unlocked").textContent = `${page.achievements.filter((goal) => goal.frame <= current).length} of ${page.goals}`;
  at("text").textContent = frame.text;
  at("happened").textContent = happened(frame);
  at("news").textContent = news.map((label) => `★ ${label}`).join("  ");
  at("news").classList.toggle("fresh", news.length > 0);
  at("next").textContent = frame.next ?? (frame.end ? `The episode is over: ${frame.end.replaceAll("_", " ")}.` : "The recording ends here.");
  at("thoughts").hidden = frame.thoughts === undefined;
  at("thought").textContent = frame.thoughts ?? "";
  at("reply").hidden = frame.reply === undefined;
  at("reply").textContent = frame.reply ?? "";
  for (const button of document.querySelectorAll("#goals button")) {
    const frameOfGoal = Number(button.dataset.frame);
    button.classList.toggle("ahead", frameOfGoal > current);
    button.setAttribute("aria-current", String(frameOfGoal === current));
  }
}

function happened(frame) {
  if (frame.action === undefined) return "A new world.";
  const reward = frame.reward ? `, reward ${frame.reward > 0 ? "+" : "−"}${Number(Math.abs(frame.reward).toFixed(3))}` : "";
  return `after ${frame.action}${reward}`;
}

// Getting about.

function goalAhead(direction) {
  const frames = page.achievements.map((goal) => goal.frame);
  const ahead = direction > 0 ? frames.find((frame) => frame > current) : frames.findLast((frame) => frame < current);
  return ahead ?? current;
}

function pause() {
  clearInterval(timer);
  timer = null;
  at("play").textContent = "▶ Play";
  at("play").setAttribute("aria-pressed", "false");
  at("play").setAttribute("aria-label", "Play");
}

function play() {
  if (current === last) show(0);
  timer = setInterval(() => (current === last ? pause() : show(current + 1)), 1000 / Number(at("speed").value));
  at("play").textContent = "❚❚ Pause";
  at("play").setAttribute("aria-pressed", "true");
  at("play").setAttribute("aria-label", "Pause");
}

const toggle = () => (timer === null ? play() : pause());

function jump(index) {
  pause();
  return show(index);
}

const moves = {
  ArrowLeft: () => jump(current - 1),
  ArrowRight: () => jump(current + 1),
  PageUp: () => jump(current - 10),
  PageDown: () => jump(current + 10),
  Home: () => jump(0),
  End: () => jump(last),
  j: () => jump(goalAhead(1)),
  k: () => jump(goalAhead(-1)),
  " ": toggle,
};

document.addEventListener("keydown", (event) => {
  const move = moves[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  const isTaken = event.key === " " ? event.target.closest("button, select") : event.target.closest("select");
  if (!move || isTaken || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  move();
});

// The page itself.

function goalButton(goal, text) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = text;
  button.dataset.frame = goal.frame;
  button.addEventListener("click", () => jump(goal.frame));
  return button;
}

function layOut() {
  for (const [name, value] of page.facts) {
    const [pair, term, description] = ["div", "dt", "dd"].map((tag) => document.createElement(tag));
    term.textContent = name;
    description.textContent = value;
    pair.append(term, description);
    at("facts").append(pair);
  }
  for (const goal of page.achievements) {
    const marker = goalButton(goal, "");
    marker.title = `${goal.label}, step ${goal.t}`;
    marker.setAttribute("aria-label", marker.title);
    marker.tabIndex = -1; // the list below has the same buttons for the keyboard
    marker.style.left = `${(100 * goal.frame) / Math.max(last, 1)}%`;
    at("markers").append(marker);
    const item = document.createElement("li");
    item.append(goalButton(goal, `${goal.label} · ${goal.t.toLocaleString("en")}`));
    at("goals").append(item);
  }
  if (!page.achievements.length) at("goals").textContent = "none";
  drawCurve();
}

function drawCurve() {
  const low = Math.min(...page.curve);
  const span = Math.max(...page.curve) - low || 1;
  const points = page.curve.map((value, index) =>
    `${(100 * index) / Math.max(page.curve.length - 1, 1)},${98 - (96 * (value - low)) / span}`);
  document.querySelector("#curve polyline").setAttribute("points", points.join(" "));
}

function listen() {
  const slider = at("slider");
  slider.max = last;
  slider.addEventListener("input", () => jump(Number(slider.value)));
  at("speed").addEventListener("change", () => timer !== null && (pause(), play()));
  const clicks = { first: "Home", "previous-goal": "k", back: "ArrowLeft", on: "ArrowRight", "next-goal": "j", last: "End" };
  for (const [id, key] of Object.entries(clicks)) at(id).addEventListener("click", moves[key]);
  at("play").addEventListener("click", toggle);
}

async function begin() {
  layOut();
  listen();
  try {
    await loadSheet();
    await show(0);
  } catch (error) {
    at("problem").textContent = `This browser cannot show the page (${error}): open it in one of 2023 or later.`;
    at("problem").hidden = false;
  }
}

begin();
