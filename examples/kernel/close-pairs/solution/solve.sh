#!/bin/bash
# Sorts once, and lets two ends of a window walk along.
cat > /app/pairs.c <<'C'
/* Count the pairs of readings that lie within a distance of each other.
 *
 * Reads the distance, then the readings, whole numbers all of them (at most 100,000); prints the number of pairs.
 */
#include <stdio.h>
#include <stdlib.h>

static long readings[100000];

static int by_size(const void *one, const void *other)
{
    long a = *(const long *)one, b = *(const long *)other;
    return (a > b) - (a < b);
}

static long close_pairs(long *value, long count, long distance)
{
    long pairs = 0, first = 0;
    qsort(value, count, sizeof *value, by_size);
    for (long i = 0; i < count; i++) {
        while (value[i] - value[first] > distance)
            first++;
        pairs += i - first;
    }
    return pairs;
}

int main(void)
{
    long distance, count = 0;
    if (scanf("%ld", &distance) != 1)
        return 1;
    while (count < 100000 && scanf("%ld", &readings[count]) == 1)
        count++;
    printf("%ld\n", close_pairs(readings, count, distance));
    return 0;
}
C
