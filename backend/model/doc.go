// Package model asks a model a question about images.
//
// A Model is handed the text of a prompt and the bytes of images, and nothing else: no case, gold answer, condition or region. The built-in
// control models need no server and are honest about what they are: Oracle searches the pixels for itself and ignores the text around the
// question, TextOnly never looks at an image, CueFollower says what a cue says. They are the positive and negative controls of every
// measure of grounding.
package model
