/* Count the pairs of readings that lie within a distance of each other.
 *
 * Reads the distance, then the readings, whole numbers all of them (at most 100,000); prints the number of pairs.
 */
#include <stdio.h>
#include <stdlib.h>

static long readings[100000];

static long close_pairs(long *value, long count, long distance)
{
    long pairs = 0;
    for (long i = 0; i < count; i++)
        for (long j = i + 1; j < count; j++)
            if (labs(value[i] - value[j]) <= distance)
                pairs++;
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
