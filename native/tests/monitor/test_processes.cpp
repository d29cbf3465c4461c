// Tests of following processes: whose they are, and that what they used is counted once.
#include <string>

#include "monitor/processes.hpp"
#include "tests/monitor/folder.hpp"
#include "tests/testing.hpp"

using namespace heorot;
using namespace heorot::monitor;

namespace {

/// Processes as text.
class Table {
  public:
    Table() : folder_("processes"), processes_(folder_.path(), "MARK", 99) {}

    struct Row {
        int parent = 1;
        Number own = 0;
        Number children = 0;
        Number pages = 10;
        const char* command = "a b) c";
        Number start = 5;
    };

    void put(int pid, const Row& row) const {
        folder_.write(std::to_string(pid) + "/stat",
                      std::to_string(pid) + " (" + row.command + ") S " +
                          std::to_string(row.parent) + " 0 0 0 0 0 0 0 0 0 " +
                          std::to_string(row.own) + " 0 " + std::to_string(row.children) +
                          " 0 20 0 1 0 " + std::to_string(row.start) + " 4096 " +
                          std::to_string(row.pages) + " 0 0\n");
    }
    void mark(int pid, const std::string& job) const {
        folder_.write(std::to_string(pid) + "/environ",
                      std::string("A=1") + '\0' + "MARK=" + job + '\0');
    }
    void unmark(int pid) const { folder_.write(std::to_string(pid) + "/environ", "A=1"); }
    void files(int pid, Number n_read, Number n_written) const {
        folder_.write(std::to_string(pid) + "/io",
                      "rchar: 1\nread_bytes: " + std::to_string(n_read) +
                          "\nwrite_bytes: " + std::to_string(n_written) + '\n');
    }
    void end(int pid) const { folder_.remove(std::to_string(pid)); }
    void scan() { processes_.scan(); }
    Usage of(const std::string& name) const {
        const auto found = processes_.groups().find(name);
        return found == processes_.groups().end() ? Usage{} : found->second;
    }
    std::string user() const { return "u " + std::to_string(getuid()); }

  private:
    tests::Folder folder_;
    Processes processes_;
};

void check_groups() {
    Table table;
    table.put(2, {.parent = 0, .own = 3, .command = "kthreadd"});
    table.put(7, {.parent = 2, .own = 4, .command = "kworker"});
    table.put(10, {.own = 100, .children = 1000});
    table.unmark(10);
    table.put(20, {.own = 50, .children = 7});
    table.mark(20, "/j/J 1;%");
    table.files(20, 4096, 8192);
    table.put(99, {.own = 5000});
    table.scan();
    table.put(21, {.parent = 20, .own = 30, .pages = 5});  // may not be read: as its parent
    table.scan();
    CHECK(table.of("k -").n == 2 && table.of("k -").cpu_ticks == 7);
    // Not what its children did: they may be anybody's.
    CHECK(table.of(table.user()).n == 1 && table.of(table.user()).cpu_ticks == 100);
    const Usage job = table.of("j /j/J%201%3B%25");
    CHECK(job.n == 2 && job.cpu_ticks == 50 + 7 + 30 && job.resident_pages == 15);
    CHECK(job.read_bytes == 4096 && job.written_bytes == 8192);
}

void check_ends() {
    Table table;
    const std::string job = "j J1";
    table.put(20, {.own = 10});
    table.put(21, {.parent = 20, .own = 100});
    table.put(22, {.parent = 21, .own = 1000});
    for (const int pid : {20, 21, 22}) table.mark(pid, "J1");
    table.files(22, 512, 0);
    table.scan();
    CHECK(table.of(job).cpu_ticks == 1110 && table.of(job).n == 3);
    // 20 has waited for 21, which had waited for 22: both ended between two scans.
    table.end(21);
    table.end(22);
    table.put(20, {.own = 10, .children = 1150});
    table.files(20, 600, 0);
    table.scan();
    CHECK(table.of(job).cpu_ticks == 1160 && table.of(job).n == 1);
    CHECK(table.of(job).read_bytes == 600);
    // No process of the job waits for 20: its time as last seen remains.
    table.end(20);
    table.scan();
    CHECK(table.of(job).cpu_ticks == 1160 && table.of(job).n == 0);
    CHECK(table.of(job).resident_pages == 0 && table.of(job).read_bytes == 600);
    // The same job continues in another process.
    table.put(30, {.own = 5});
    table.mark(30, "J1");
    table.scan();
    CHECK(table.of(job).cpu_ticks == 1165);
}

void check_gap() {
    // A child has ended, and its parent has not waited for it yet.
    Table table;
    table.put(20, {.own = 10});
    table.put(21, {.parent = 20, .own = 100});
    for (const int pid : {20, 21}) table.mark(pid, "J1");
    table.scan();
    table.end(21);
    table.scan();
    CHECK(table.of("j J1").cpu_ticks == 110);
    table.put(20, {.own = 12, .children = 105});
    table.scan();
    CHECK(table.of("j J1").cpu_ticks == 117);
}

void check_changes() {
    Table table;
    // A fork becomes what a job runs.
    table.put(20, {.own = 40});
    table.unmark(20);
    table.scan();
    CHECK(table.of(table.user()).cpu_ticks == 40);
    table.mark(20, "J1");
    table.put(20, {.own = 45, .command = "program"});
    table.scan();
    CHECK(table.of(table.user()).cpu_ticks == 45 && table.of(table.user()).n == 0);
    table.put(20, {.own = 65, .command = "program"});
    table.scan();
    CHECK(table.of("j J1").cpu_ticks == 20 && table.of("j J1").n == 1);
    // A number is given to another process: the kernel makes a new folder.
    table.end(20);
    table.put(20, {.own = 3, .command = "other", .start = 77});
    table.unmark(20);
    table.scan();
    table.scan();
    CHECK(table.of("j J1").n <= 1);
}

void check_patience() {
    Table table;
    table.put(20, {.own = 40});
    table.unmark(20);
    for (Number own = 140; own < 1000; own += 100) {
        for (int i = 0; i < 407; ++i) table.scan();
        CHECK(table.of(table.user()).cpu_ticks == own - 100 && table.of(table.user()).n == 1);
        table.put(20, {.own = own});
        int n_scans = 0;
        while (table.of(table.user()).cpu_ticks != own && n_scans < 20) {
            table.scan();
            ++n_scans;
        }
        CHECK(n_scans <= 8);
    }
    // One that does something is looked at every time.
    for (Number own = 1001; own < 1010; ++own) {
        table.put(20, {.own = own});
        table.scan();
        CHECK(table.of(table.user()).cpu_ticks == own);
    }
}

void check_no_folder() {
    Processes none("/no/such/folder", "MARK", 1);
    none.scan();
    CHECK(none.groups().empty());
}

}  // namespace

int main() {
    check_groups();
    check_ends();
    check_gap();
    check_changes();
    check_patience();
    check_no_folder();
    return tests::result();
}
