//! The list of commands for people at a shell.

pub(super) const HELP: &str = "\
position startpos|xgid <ID>|gnubgid <ID> [moves 31:8/5,6/5 ...]
                                            set up a position
dice 3 1, roll                              say what the dice are, or roll them
move 8/5,6/5, move 31:8/5,6/5, move pass    play; the bar is 25, off is 0
undo [n], redo [n]                          take back, play again
go [dice 3 1] [depth N] [movetime MS] [nodes N] [rollout N]
   [wtime MS] [btime MS] [winc MS] [binc MS] [infinite]
                                            find the best play
stop, wait                                  end the search, read on when it is over
d, legal, eval, status                      board, legal plays, evaluations, whether the game is over
perft N                                     count sequences of rolls and plays
setoption name <option> [value <v>]         Player full|expectiminimax|random, Eval, Mars, Hit And Run, ...
setoption name UCI_Variant value italian    back to draughts
uci, isready, ucinewgame, help, quit";
