// Misuses MPI in one way, for a test of the checker: misuse WAY, on two ranks.
#include <mpi.h>

#include <array>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <string>

namespace {

constexpr int n = 64;
using Doubles = std::array<double, n>;

void exchange(const double* out, double* in, int n_elements) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Sendrecv(out, n_elements, MPI_DOUBLE, 1 - rank, 0, in, n, MPI_DOUBLE, 1 - rank, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

void nothing() {
    const Doubles out{};
    Doubles in{};
    exchange(out.data(), in.data(), n);
}

void communicator() {
    MPI_Comm copy = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
}

void datatype() {
    MPI_Datatype pair = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(2, MPI_DOUBLE, &pair);
}

void request() {
    const double out = 1.0;
    double in = 0.0;
    MPI_Request pending = MPI_REQUEST_NULL;
    MPI_Isend(&out, 1, MPI_DOUBLE, 0, 0, MPI_COMM_SELF, &pending);
    MPI_Recv(&in, 1, MPI_DOUBLE, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
}

void overlap() {
    const Doubles out{};
    Doubles in{};
    std::array<MPI_Request, 2> requests{};
    MPI_Irecv(in.data(), n, MPI_DOUBLE, 0, 0, MPI_COMM_SELF, requests.data());
    MPI_Irecv(in.data() + n / 2, n / 2, MPI_DOUBLE, 0, 0, MPI_COMM_SELF, &requests[1]);
    MPI_Send(out.data(), n, MPI_DOUBLE, 0, 0, MPI_COMM_SELF);
    MPI_Send(out.data(), n / 2, MPI_DOUBLE, 0, 0, MPI_COMM_SELF);
    MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
}

void lost_message() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) MPI_Send(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
}

void other_sizes() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    Doubles all{};
    MPI_Bcast(all.data(), n - rank, rank == 0 ? MPI_DOUBLE : MPI_FLOAT, 0, MPI_COMM_WORLD);
}

// The next two need memcheck.
void undefined() {
    // The compiler must not know that no byte is written.
    const std::unique_ptr<double[]> out(new double[n]);
    Doubles in{};
    exchange(out.get(), in.data(), n);
}

void beyond() {
    const Doubles out{};
    const auto in = std::make_unique<double[]>(n - 1);
    exchange(out.data(), in.get(), 1);
}

}  // namespace

int main(int argc, char** argv) {
    const std::map<std::string, std::function<void()>> ways{{"nothing", nothing},
                                                            {"communicator", communicator},
                                                            {"datatype", datatype},
                                                            {"request", request},
                                                            {"overlap", overlap},
                                                            {"lost-message", lost_message},
                                                            {"other-sizes", other_sizes},
                                                            {"undefined", undefined},
                                                            {"beyond", beyond}};
    if (argc != 2 || !ways.contains(argv[1])) {
        std::cerr << "misuse WAY, one of:";
        for (const auto& [name, way] : ways) std::cerr << ' ' << name;
        std::cerr << '\n';
        return 2;
    }
    MPI_Init(nullptr, nullptr);
    ways.at(argv[1])();
    MPI_Finalize();
}
