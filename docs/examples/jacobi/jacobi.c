/* Jacobi iteration for Laplace's equation on an n x n square, rows shared out between ranks.
 * The boundary is u = x + y, which is harmonic, so that the solution is known: u = x + y.
 * Usage: jacobi INPUT, where INPUT has two numbers: n and the number of iterations. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank, size, n = 0, iterations = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    FILE* input = argc > 1 ? fopen(argv[1], "r") : NULL;
    if (!input || fscanf(input, "%d %d", &n, &iterations) != 2 || n < size) {
        if (rank == 0) fprintf(stderr, "usage: jacobi INPUT\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    fclose(input);

    const int first = rank * n / size, rows = (rank + 1) * n / size - first, width = n + 2;
    double* old = calloc((size_t)(rows + 2) * width, sizeof *old);
    double* new = calloc((size_t)(rows + 2) * width, sizeof *new);
    const double h = 1.0 / (n + 1);
    for (int i = 0; i < rows + 2; ++i) {
        for (int j = 0; j < width; ++j) {
            const int row = first + i;
            const int inside = row > 0 && row <= n && j > 0 && j <= n;
            /* Inside it begins near the solution, so that few iterations come close to it. */
            old[i * width + j] = (row + j) * h + (inside ? 1e-3 * sin(row) * cos(j) : 0.0);
            new[i * width + j] = old[i * width + j];
        }
    }

    const int up = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    const int down = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    for (int k = 0; k < iterations; ++k) {
        MPI_Sendrecv(&old[width], width, MPI_DOUBLE, up, 0, &old[(rows + 1) * width], width,
                     MPI_DOUBLE, down, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&old[rows * width], width, MPI_DOUBLE, down, 1, &old[0], width, MPI_DOUBLE, up,
                     1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 1; i <= rows; ++i) {
            for (int j = 1; j <= n; ++j) {
                const int at = i * width + j;
                new[at] = 0.25 * (old[at - 1] + old[at + 1] + old[at - width] + old[at + width]);
            }
        }
        double* swapped = old;
        old = new;
        new = swapped;
    }
    const double seconds = MPI_Wtime() - start;

    double own[2] = {0.0, seconds}, all[2];
    for (int i = 1; i <= rows; ++i) {
        for (int j = 1; j <= n; ++j) {
            own[0] = fmax(own[0], fabs(old[i * width + j] - (first + i + j) * h));
        }
    }
    MPI_Reduce(own, all, 2, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("largest error: %.3e\n", all[0]);
        printf("time: %.6f s, %.1f million updates per second\n", all[1],
               1e-6 * n * n * (double)iterations / all[1]);
    }
    free(old);
    free(new);
    MPI_Finalize();
    return 0;
}
