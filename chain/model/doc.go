// Package model is the registry of models that jobs of inference name: who published which revision, and what governance holds of it. Its rules are functions
// over a state.Store; the registry and its deposits lie under 0x01.
//
// # Rules, event by event
//
//   - upon Publish: the four hashes name a revision, model_id = keccak256(weights ‖ arch ‖ tokenizer ‖ license), which nobody has published. Its deposit of
//     1,000 CBY stays with the registry.
//   - upon Withdraw by who published it: the model is forgotten, the deposit is given back.
//   - upon Mark: governance flags a model or bans it, or takes that back. A mark holds for the model_id: it needs no publication, and outlives it, so that
//     nobody gets rid of one by publishing again.
//   - upon Choose, when a job names a model: a banned one is refused; a flagged one is not. The model_id zero is any model. No publication is needed, since
//     a runner declares by model_id which models it runs.
//
// # Layout
//
//	model:published/ ‖ model_id              Record, of 0x01
//	system:gov:param:model_marks             Marks, of 0x09: a governed parameter, which proposals change as a whole and ModelMark by one model
//
// Deliberately absent: the model's files, and what shows that a runner ran another than it says (package verifier).
//
// Spec: WP §5.1, §13; runner-marketplace §2.2; governance-staking B9 (model flags).
package model
