#!/bin/bash
# Sorts by hand, merging, and counts from the far end.
cat > /app/pairs.c <<'C'
/* Count the pairs of readings that lie within a distance of each other.
 *
 * Reads the distance, then the readings, whole numbers all of them (at most 100,000); prints the number of pairs.
 */
#include <stdio.h>
#include <stdlib.h>

static long readings[100000];

static long spare[100000];

static void sort(long *value, long count)
{
    if (count < 2)
        return;
    long half = count / 2, left = 0, right = half;
    sort(value, half);
    sort(value + half, count - half);
    for (long i = 0; i < count; i++)
        spare[i] = right >= count || (left < half && value[left] <= value[right]) ? value[left++] : value[right++];
    for (long i = 0; i < count; i++)
        value[i] = spare[i];
}

static long close_pairs(long *value, long count, long distance)
{
    long pairs = 0, last = count - 1;
    sort(value, count);
    for (long i = count - 1; i >= 0; i--) {
        while (value[last] - value[i] > distance)
            last--;
        pairs += last - i;
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
