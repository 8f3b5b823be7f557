/** Short wooden sounds, synthesised. */
import { settings } from './settings.js';

/** @type {AudioContext|null} */
let context = null;

/** @param {'move'|'capture'|'end'|'lost'|'turn'|'refused'} what */
export function sound(what) {
  if (!settings.value.sound) return;
  context ??= new AudioContext();
  const notes = { move: [[520, 0.05]], capture: [[390, 0.06], [300, 0.08]], end: [[392, 0.12], [523, 0.12], [659, 0.26]], lost: [[392, 0.16], [311, 0.28]], turn: [[660, 0.07], [880, 0.12]], refused: [[140, 0.1]] }[what];
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
