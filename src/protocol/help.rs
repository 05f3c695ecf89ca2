//! The list of commands for people at a shell.

/// What `help` prints.
pub const HELP: &str = "\
position startpos|fen <FEN> [moves <m>...]  set up a position
move <m>...                                 play moves: 23-19, 22x15, 28x19x10
undo [n], redo [n]                          take back, play again
go [depth N] [nodes N] [movetime MS]        search; without a limit until stop
   [wtime MS] [btime MS] [winc MS] [binc MS] [movestogo N]
   [infinite] [ponder] [searchmoves <m>...]
   [win N]                                  look for a win in N moves and nothing else
stop, ponderhit, wait                       end the search, the expected move was played, read on when it is over
d, legal, eval, status                      board, legal moves, evaluation, whether the game is over
perft N [all], divide N [all], bench        count move sequences, measure the search
setoption name <option> [value <v>]         UCI_Variant italian|english|international, Hash MiB, Clear Hash, ...
uci, isready, ucinewgame, help, quit";
