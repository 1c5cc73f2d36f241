namespace Larder.Store.Collections;

/// <summary>Checks that each record is in the right bucket, and that the collection's counts match its records.</summary>
internal static unsafe partial class HashIndex
{
    /// <summary>Throws if a check fails.</summary>
    /// <returns>The number of bytes in all blocks.</returns>
    public static long AssertValid(CollectionRoot* root, ulong seed)
    {
        var directory = (Directory*)root->Data;
        long charged = BlockHeap.SizeOf(root->Data);
        for (uint i = 0; i < directory->Blocks; i++)
        {
            charged += BlockHeap.SizeOf(BlocksOf(directory)[i]);
        }

        long count = 0;
        long payload = 0;
        for (uint bucket = 0; bucket < directory->Buckets; bucket++)
        {
            for (byte* record = First(root, bucket); record != null; record = Next(record))
            {
                uint hash = KeyedElements.HashOf(Element(record).Key, seed);
                Invariant.Holds(hash == BlockHeap.Tag(record) && BucketOf(directory->Buckets, hash) == bucket, "a record stands in its bucket");
                charged += BlockHeap.SizeOf(record);
                payload += Element(record).PayloadBytes;
                count++;
            }
        }

        Invariant.Holds(count == root->Count && payload == root->PayloadBytes, "a collection's accounts match its records");
        Invariant.Holds(directory->Buckets >= count || directory->Buckets == MinBuckets, "there are buckets for all records");
        return charged;
    }
}
