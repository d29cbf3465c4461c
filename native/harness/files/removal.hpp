// Removing a directory of a run with what the run has put into it, also from within a signal.
#pragma once

namespace heorot {

/// A directory, open, and the one that it is in, open too.
struct OpenDirectory {
    int parent = -1;
    int directory = -1;
    const char* name = "";
};

/// Removes the files of the run and the directory, unless it is another one by now. Safe within
/// signals: it allocates nothing and locks nothing. Returns whether it is gone.
bool remove_directory(const OpenDirectory& place);

/// Lets signals that end this process remove a directory before; returns what forget_at_signals()
/// takes, -1 if there are too many. Signals with a handler of the user's keep it.
int remove_at_signals(const OpenDirectory& place);
void forget_at_signals(int slot);

}  // namespace heorot
