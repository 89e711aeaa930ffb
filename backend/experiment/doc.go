// Package experiment asks models about cases under conditions: it makes the images and the prompts that a condition of measurement.md calls
// for, asks, and writes down chains with what made them.
//
// What was answered is noted before the next stage is asked, so a run that is killed goes on where it was and asks nothing twice. A run
// that is begun anew makes new chains. A model is handed prompt text and image bytes; case, gold, condition and region stay here.
package experiment
