// Package simplex is the consensus protocol, Simplex BFT, as a state machine. Values go in, values come out; it persists, signs and sends nothing itself,
// holds no key, reads no clock and starts nothing. One State serves one epoch, whose validator set does not change; with one validator the quorum is one and
// the same rules hold.
//
// Spec: WP §3.4, §6.1, "Consensus and Networking"; commonware §2, §3.
//
// # The loop the caller writes
//
//	state, effects, err := simplex.New(config, journal)
//	for {
//		journal every Persist of effects, in order; one sync; on failure stop for good
//		perform the other effects, in order
//		effects = state.Step(next event)
//	}
//
// Persist, then send: no SignVote, SignNewView, Announce, Broadcast, Send, Notarized, Committed or Finalized may be performed before every
// Persist of the same and of earlier steps is durable. Several steps may share one sync: Build, Check, Certify and Arm may be performed before it, and
// so may a signature by a key inside the process, whose answer then joins the batch. A prefix of the records is a valid journal, so a torn tail may
// be cut off anywhere. The block a journaled vote to notarize is about must be durable with the record. Reports come at least once: New repeats
// what a crash may have swallowed, the latest Finalized among them.
//
// A validator that lost its journal must not vote in views it may have voted in: it is an Observer until the epoch ends.
//
// Questions and answers: Build is answered by Built or Declined, Check by Checked, Certify by CertifiedBlock, SignVote by VoteSigned, SignNewView
// by NewViewSigned, SignAccusation by AccusationSigned, Arm by Expired. An answer is a later event: its effects never overtake those of the step that
// asked. "Not yet known" is no answer: a block whose data or parent is missing stays unanswered until it is there. False is a permanent verdict and must be
// the same on every honest node.
//
// # View v, event by event
//
//   - upon entering v: the leader is drawn by stake from the seed of v−1. Arm the leader and the certification deadline. If this validator leads,
//     pick as parent the highest certified block below v for which it holds a nullification of every view in between, ask for a block on it
//     (Build), and announce block and notarize vote (PROPOSE). If the leader was silent for the skip time while q−1 others were active, or is absent,
//     and no proposal of v is here yet, nullify v. Active is who was heard, or signed a certificate of the current view or a later one.
//   - both deadlines are doubled for each view beyond three before v that were nullified one after the other, up to eight times, and again for each beyond
//     twelve, up to 128 times. Meanwhile nobody is passed over for its silence, and the patience does not count.
//   - upon giving v up, or leaving it: what is still asked about its proposal need not be answered (Unchecked): no vote depends on it. If it is certified
//     nevertheless, ask for it (Certify).
//   - upon the first proposal of v by its leader: once its parent is certified here and every view between parent and v is nullified here, ask
//     whether it is valid (Check). Fetch what is missing. A parent below the last finalized view, one that is not what its view certified, or
//     one lower than the leader's own signed NEW_VIEW named: nullify v.
//   - upon a vote to notarize v without a proposal of v here: if there is none a little later (Relay), request v from the voters, in turn. Whoever is asked
//     about a view that has no certificate here passes on its proposal, once to each validator, after it was found valid and its leader's vote was verified.
//   - upon Checked valid, perhaps with claims (signatures in the header: its proof, the votes for its parent, late votes): vote to notarize v (VOTE), unless
//     notarize or nullify of v was signed. The vote carries the commit half for its direct parent p iff nullify of p's view was never signed.
//     Upon invalid: nullify v.
//   - upon q votes to notarize one block of v: verify them in one batch, with the block's claims; the partials of q votes give the seed of v;
//     notarization(v), the whitepaper's QC: persist, tell. If a claim does not hold the block is certified as bad. Otherwise its parent is
//     committed. If the block was not checked here, or before a restart, ask whether it can be built on (Certify).
//   - upon notarization(v) certified: vote to commit it (VOTE, kind finalization) unless nullify of v was signed, v is nullified or final, or
//     its leader equivocated; enter v+1. If certified as bad: nullify v and never build on it.
//   - upon the leader or certification deadline of v, a declined or bad proposal, or the leader's own nullify: sign nullify(v) unless
//     finalize(v) was signed; broadcast it (NEW_VIEW) with the highest certified QC, always. Every retry period until v ends: again, together
//     with the certificate that opened v.
//   - upon a nullify vote for v: if fewer than q validators have voted to notarize v or still may, since the others gave it up without a vote or were silent
//     for the skip time, nullify v.
//   - upon the end of the patience with the leader of v, without a proposal: it is on probation until it has made 8 proposals in time, as is one that let
//     a view pass. If it was on probation before, nullify v, provided that at most f validators are on probation.
//   - a leader is absent that let the latest view it led pass, without a proposal until it was no longer waited for or by its own nullify, and of which neither
//     a proposal nor a vote for a block of that view or a later one was heard since, from itself or in a certificate; of several the last f absent. What it
//     says in requests, certificates and nullify votes does not count: who is catching up says that too, and cannot propose.
//   - to tell a certificate of v is to broadcast it at once if this validator led v, if somebody gives v up, at the epoch's end, and if it is a nullification.
//     Otherwise all make it of the same votes: it goes at once to whoever follows and to those who lately lacked one, and after a while (Tell) to those of whom
//     nothing was heard that says they have it. Who votes to commit has left the view, who votes otherwise the one before; a finalization is told by the
//     first f+1 whose time comes.
//   - upon q nullify votes of v: nullification(v): persist, broadcast, enter v+1. Certifying a block of v goes on: it may still be a parent.
//   - upon q commit signatures of a block of v, explicit ones and halves pooled: finalization(v): persist, tell; the block and its ancestors
//     are final; forget what is more than the retention below; enter v+1. For each view up to there in which votes of others were heard, a block was certified
//     and this validator neither voted for that block nor gave the view up: vote to commit it. That decides nothing and shows that it was there.
//   - the q commit signatures of a block in which nothing ran, other than the epoch's last, are not verified at once but with the votes to notarize a block
//     after it, in one product, and not before the settle time has passed since the last block became final: later ones bring it. They wait at most that
//     time again, and no longer than until this validator gives the view up, a certificate comes another way, a proposal is not on the block, or anything in
//     the product is wrong: they are then verified by themselves.
//   - the certificate of such a block, in the current view, is left to its leader for a while (Leave), which tells it with the finalization of its parent; the
//     leader waits half as long for all to vote of whom it heard lately. Nobody waits where somebody gives the view up. Likewise the commit of such a block is
//     left to the vote for a child.
//   - upon meeting a validator, newly or again: repeat to it the latest finalization, the certificate that opened v, and what this validator signed above
//     the former, the proposal included if it leads v. Without this whoever was away for a moment waits for deadlines.
//   - upon a certificate of v or any later view from a peer: verify it, then as if made here; views are jumped over.
//   - upon an unknown nullification or parent: request it from the leader or, in turn, from each validator; a server answers for view v with its
//     latest finalization if that is at or above v, else with what it holds of v.
//   - upon the last block of the epoch being certified but not final when v opens: the leader proposes it again in v, without a block. Its
//     certificates then name v, a later round than its header's. Once it is final nothing more is proposed or voted on; the State goes on answering
//     those who are behind, so the caller keeps it until the next epoch is under way.
//   - upon finding that the leader of v proposed what no honest leader does — refused by the rules above, Checked or certified as bad with a Flaw, or
//     claiming what does not hold: say so once, if the leader's vote for it is its own (Accusation), having written it down, and again upon entering a
//     view, after a restart too, for as long as v collects votes and too few have joined. Upon f+1 that agree: InvalidProposal (Accuse). Where the leader's
//     votes in two of them are for two blocks: DoubleNotarize. What this node found valid it disputes (Disputed) and brings no evidence of.
//
// Votes of views up to current+1 are counted, none below the retention. The signer of a vote is the peer that sent it; votes are collected
// unverified and verified in one batch when there can be a quorum, and whoever signed badly is blamed.
//
// # Where this differs from the whitepaper's words
//
//   - "A block is final when its direct child has a QC" is unsafe over a protocol in which a view may be both notarized and nullified: a hidden
//     notarization, a block built on it, and a sibling justified by nullifications finalize two branches (TestLiteralRule replays it). Here a
//     block is committed when a direct child has a QC, and final when a quorum signed to commit it or a descendant. A child's QC whose voters
//     all gave the commit half is a finalization of the parent, as the sentence says.
//   - "The next proposer MUST build on the highest-QC block": an honest leader does. A voter does not refuse a block because the voter knows a
//     higher QC, since the leader may not; it refuses when the leader's own signed NEW_VIEW named a higher one.
//   - PROPOSE is the block and its leader's vote; VOTE is notarize or finalize; NEW_VIEW is the nullify vote with the highest certified QC, whose
//     naming is signed apart so that nullify votes aggregate. Votes go to all: who leads next is unknown until the seed is.
//   - "R derives from the parent QC" (state transition text) loses against §3.4: the beacon of a round is the seed of the round before it.
//   - A voter sees to a header's proof and votes after it voted to notarize and before it votes to commit or for a child: what does not hold is
//     notarized at most, never committed, built on or final, exactly as a block that its voters could not execute (commonware's "certify").
//   - A commit is voted for "as soon as the notarization is certified" (commonware §3.8), but for that of a block in which nothing ran where the caller sets a
//     leave time: it comes with the vote for a child, or after that time.
//   - Quorums count validators (n − f); stake weighs the draw of leaders.
//   - Leaders are drawn afresh for every view, so one that is gone may be drawn many times in a row before the skip time has passed. Absence is the
//     addition for that; the skip time remains for those who vote no more without ever having been waited for.
//
// # Properties, for n validators of which at most f = ⌊(n−1)/3⌋ are faulty
//
// Two quorums share an honest validator: 2(n−f) − n ≥ f+1.
//
//   - L1: a view has at most one notarized block. An honest validator notarizes once per view and its decision is durable before it is signed.
//   - L2: no view has both a finalization and a nullification. An honest validator signs at most one of nullify and commit for a view. A commit
//     half is a commit: it is refused after nullify, and nullify is signed in the current view only, which whoever votes for a child has left.
//   - L3: if P is final in view v, every block notarized in a view w > v descends from P. Induction on w: some honest voter of that block saw a
//     parent notarized in a view u < w with nullifications of all views in between. u < v needs nullification(v), against L2; u = v makes the
//     parent P by L1; u > v holds by induction. A block proposed again is its own parent and descends from itself.
//   - So final blocks are on one chain. Forced inclusion: a block certified in time is a parent of what follows, unless its view was nullified.
//   - Liveness: once messages arrive within Δ, an honest leader's proposal reaches everyone before the leader deadline (2Δ), nobody honest
//     nullifies, all certify and commit. Retries with the opening certificate bring laggards to the view of the others. Deadlines stretch where Δ is more
//     than was expected, up to eight times; a certified block ends that, so that faulty leaders cannot make it last: it takes four of them in a row. After
//     twelve it is not messages that are slow but what every block has to hold, and deadlines stretch further, until it can be executed twice within one.
//   - Links that carry nothing, though both ends live, cost no liveness while every two honest validators have an honest neighbour in common that hears both:
//     proposals come over it on request, and since whoever makes a certificate tells those who lack it, votes need to meet in one place only. Such a view takes
//     longer by the time after which a proposal is asked for, and now and then by that after which a certificate is told.
//   - Giving up a view whose block cannot have a quorum costs nothing: all others would wait for a deadline in vain. While at most f validators are faulty and
//     the others are in time, those who are silent are faulty, and only an honest one that gave up without a vote makes too few.
//   - Absence costs no safety, since nullify may always be signed, and no liveness: an honest node holds at most f leaders for absent, so there are at
//     most f·(n−f) such opinions among n−f honest nodes, and to nullify at once takes n−2f > f of them besides the faulty. Hence some honest leader
//     gets its proposal out when it is drawn, whereupon nobody doubts it any more; a view whose leader nobody doubts has everybody's votes, and ends all
//     doubts about the voters. A view in which opinions differ may take until its certification deadline.
//   - While f validators are away and the others within Δ, one of them costs at most the certification deadline of the view it leads as it goes and the
//     leader deadline of one view it leads later, however often it is drawn until it takes part again.
//   - Who votes cannot be held for absent: a leader that is not waited for at all cannot end the doubt by proposing, so honest ones would stay doubted after
//     a cut of the network. One that votes and proposes never, or at the last moment, is waited for until the patience ends instead, which is as long as
//     the others need with room to spare. It costs a leader deadline for each 8 proposals in time, otherwise the patience, and an honest one that is in
//     time again gets its blocks through although it is on probation. Where many are late, since messages or machines are slow, more than f are on probation
//     and everybody has the leader deadline.
//   - Impatience costs no safety, since nullify may always be signed, and no liveness: while it works at most f validators are on probation, and a
//     validator that is held for absent is among them, so an honest node doubts at most f leaders in both ways together, and the argument on absence holds
//     for both. It does cost f honest validators, at most, their blocks while they are slower than the patience and all others are not.
//   - Commits that wait cost no safety: a finalization is persisted, told and sent after its signatures were verified, only later. They cost no liveness:
//     no vote, certificate or deadline of any view depends on them, and what they finalize every block after it finalizes too. The others learn that a block
//     without content is final later by twice the settle time, not more. A block with content never waits. What is gained, a product of two pairings for each
//     block and most finalizations, is gained only where blocks follow each other within the settle time: elsewhere the caller sets none.
//   - Certificates that wait to be told cost no safety, since nobody relies on another's to decide, and no liveness: votes go to all, so that what an honest
//     validator made of the votes of a quorum all can make but for those of the faulty, and who is still behind gets it within twice the tell time. What is
//     said to have been left is each validator's own word, and keeps certificates from that one alone. While all is well a validator gets one notarization of
//     a view instead of n, and f+2 finalizations.
//   - Certificates and commits that are left to others cost no safety either: the vote may be given later as well as at once. They cost no liveness: the
//     deadline after which each sees to them itself is short against all others, and what is waited for is a block that nobody waits for. A faulty leader can
//     have its idle blocks last longer by the leave time.
//   - No honest proposer is accused by an honest validator. An accusation needs three things: that the accused leads the round, which follows from the seed
//     and the stakes; its own signature on the vote for this hash, height and round, which relays cannot make; and a verdict. An honest leader votes in
//     its own round for one block, which its own machine built on a parent certified there and executed, and to which the State held the parent rule.
//     FlawedBlock is a verdict on what that hash commits to and on nothing else: header, transactions but for the bytes of their signatures, and, through
//     the parent's hash, the state they execute on. Execution is deterministic, and what Build fills in Verify accepts, so that what holds for the
//     leader holds everywhere. The parent rule refuses only what cannot be: a parent other than the one its view certified, against L1; a final view
//     passed over, for which by L2 the leader can have no nullification; a height, rank or epoch that is not the round's. FlawedBody is about bytes that
//     came from the leader itself, over a connection that authenticates it, and an honest leader sends what it built. No verdict is: a time ahead of this
//     clock, which is waited for; a body, parent or certificate that is missing here, which is fetched; a body with bad signatures from anybody but the
//     leader; an execution that was broken off or that failed with this machine, which gives no answer; a block on a bad one, for which its parent's
//     proposer answers; a block proposed again, which comes without bytes.
//   - So no honest proposer is convicted: among f+1 accusers is an honest one. That the accused is part of what they sign keeps those apart who voted for a
//     block whose claims nobody had looked at yet. With n below 4 no validator may be faulty, and the word of one is enough.
//   - Who proposes what is invalid is convicted if enough of the honest have its bytes and can tell each other within the retention. Let it send the same to
//     all n−f ≥ 2f+1 of them: each finds the same about the block, or about the body it was sent, so that f+1 agree. Who sends different blocks puts its
//     vote for each into the hands of accusers, who show it to all: two of them are evidence with a slash. A false claim is found where a quorum votes. Who
//     keeps the bytes from all but f, or signs nothing that fits them, has only lost its view.
//   - One seed per view whatever its outcome: every vote carries a partial, and any certificate of the view contains the seed.
//
// A certificate that contradicts these (Halt) proves more than f faulty validators: the State stops with the two certificates.
//
// # Bounds
//
// Of each validator's progress three numbers are kept. Votes are kept for retention+2 views, one slot per validator and kind; proposals as headers, one per
// validator for the next view, one for the current; one NEW_VIEW naming and one request outstanding per validator at most; of each validator one accusation
// a view, for as long as the view collects votes. One certificate per kind is kept for every view above the last finalized one, since they justify parents:
// no stranger can make one, and without finality there is at most one view per leader deadline, not counting those an absent validator leads, which end
// after one exchange of votes and come as often in a row as its stake has it drawn.
//
// Deliberately absent: a patience that follows from how long others take, since State knows no time; blocks (State knows headers), their storage, execution
// and transfer; keys; the ceremony that makes the threshold key; punishments; which peers exist.
package simplex
