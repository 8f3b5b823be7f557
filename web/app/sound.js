/** Short wooden sounds, synthesised; off by default. */
import { settings } from './settings.js';

/** @type {AudioContext|null} */
let context = null;

/** @param {'move'|'capture'|'end'|'refused'} what */
export function sound(what) {
  if (!settings.value.sound) return;
  context ??= new AudioContext();
  const notes = { move: [[520, 0.05]], capture: [[390, 0.06], [300, 0.08]], end: [[392, 0.14], [523, 0.24]], refused: [[140, 0.1]] }[what];
  let at = context.currentTime;
  for (const [pitch = 0, length = 0] of notes) {
    const tone = context.createOscillator();
    const volume = context.createGain();
    tone.type = 'triangle';
    tone.frequency.setValueAtTime(pitch * 1.6, at);
    tone.frequency.exponentialRampToValueAtTime(pitch, at + 0.03);
    volume.gain.setValueAtTime(0.25, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + length + 0.08);
    tone.connect(volume).connect(context.destination);
    tone.start(at);
    tone.stop(at + length + 0.1);
    at += length;
  }
}
