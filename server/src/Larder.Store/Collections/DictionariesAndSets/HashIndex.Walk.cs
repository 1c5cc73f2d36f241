using System.Numerics;

namespace Larder.Store.Collections;

/// <summary>
/// Iterates a hash table that may change between two steps, in the order of the bit-reversed hashes. The hashes in one bucket have the same low bits, so they
/// are adjacent in this order. A position therefore stays valid when buckets are split or merged, and an element that exists during the whole walk is visited
/// exactly once.
/// </summary>
internal static unsafe partial class HashIndex
{
    private const int HashBits = 32;

    /// <summary>Returns the next record, or null after the last one.</summary>
    /// <param name="root">The collection.</param>
    /// <param name="place">The bit-reversed hash that the walk has reached; 0 at the start.</param>
    /// <param name="passed">The number of records with that hash that the walk has already visited.</param>
    public static byte* Next(CollectionRoot* root, ref ulong place, ref int passed)
    {
        uint buckets = Buckets(root);
        while (place < 1ul << HashBits)
        {
            uint bucket = BucketOf(buckets, Reversed((uint)place));
            byte* found = null;
            ulong least = ulong.MaxValue;
            int same = 0;
            for (byte* record = First(root, bucket); record != null; record = Next(record))
            {
                ulong at = Reversed(BlockHeap.Tag(record));
                bool isMet = at < place || (at == place && same++ < passed);
                if (!isMet && at < least)
                {
                    found = record;
                    least = at;
                }
            }

            if (found != null)
            {
                passed = least == place ? passed + 1 : 1;
                place = least;
                return found;
            }

            ulong span = 1ul << (HashBits - BitsOf(buckets, bucket));
            place = ((place / span) + 1) * span;
            passed = 0;
        }

        return null;
    }

    // Returns the number of low bits that the hashes of a bucket have in common.
    private static int BitsOf(uint buckets, uint bucket)
    {
        int bits = BitOperations.Log2(buckets);
        uint half = 1u << bits;
        return (bucket & (half - 1)) + half < buckets ? bits + 1 : bits;
    }

    private static uint Reversed(uint bits)
    {
        bits = ((bits >> 1) & 0x5555_5555) | ((bits & 0x5555_5555) << 1);
        bits = ((bits >> 2) & 0x3333_3333) | ((bits & 0x3333_3333) << 2);
        bits = ((bits >> 4) & 0x0F0F_0F0F) | ((bits & 0x0F0F_0F0F) << 4);
        return System.Buffers.Binary.BinaryPrimitives.ReverseEndianness(bits);
    }
}
