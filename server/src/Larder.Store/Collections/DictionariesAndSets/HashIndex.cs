using System.Numerics;
using System.Runtime.CompilerServices;

namespace Larder.Store.Collections;

/// <summary>
/// A hash table for the elements of a large collection: one record per element, chained in buckets. It uses linear hashing: there are about as many buckets as
/// records. An insertion splits at most one bucket, and a removal merges at most two buckets. Therefore, the work of a write is limited. Buckets are stored in
/// blocks of 512. The first block starts with 64 buckets and doubles up to 512. A record contains a pointer to the next record of its chain, the lengths of the
/// key and the value, the key, and the value. The hash of a record is in the tag of its block.
/// </summary>
internal static unsafe partial class HashIndex
{
    /// <summary>The number of bytes of a record before its key.</summary>
    public const int RecordBytes = 16;

    private const uint MinBuckets = 64;
    private const int BlockBits = 9;
    private const uint BlockBuckets = 1 << BlockBits;
    private const int FirstBlocks = 7;

    /// <summary>
    /// Returns the memory that may be needed to add <paramref name="records"/> records. Their keys and values have <paramref name="bytes"/> bytes in total, and
    /// at most <paramref name="largest"/> bytes in one record.
    /// </summary>
    public static BlockNeed NeedFor(CollectionRoot* root, long records, long bytes, long largest)
    {
        long blocks = (records / BlockBuckets) + 2;
        bool isNew = root == null || root->IsPacked;
        long present = isNew ? 0 : ((Directory*)root->Data)->Blocks;
        long fit = isNew ? 0 : (BlockHeap.Capacity(root->Data) - sizeof(Directory)) / sizeof(nint);
        // When the directory is full, it is copied into a block of twice the size. The factor 4 covers all copies.
        long directory = present + blocks <= fit ? 0 : BlockHeap.SizeOf(sizeof(Directory) + (4 * (FirstBlocks + present + blocks) * sizeof(nint)));
        // The overhead of each record: the block header, the record header, and the rounding.
        long each = BlockHeap.HeaderBytes + RecordBytes + 15;
        BlockNeed all = new(bytes + (records * each), BlockHeap.SizeOf(RecordBytes + largest));
        return all + BlockNeed.Of(blocks, BlockHeap.SizeOf(BlockBuckets * sizeof(nint))) + BlockNeed.Of(1, directory);
    }

    /// <summary>Returns the minimum number of bytes of records and buckets, including headers.</summary>
    public static long MinBytes(CollectionRoot* root) => root->PayloadBytes + (root->Count * (BlockHeap.HeaderBytes + RecordBytes + sizeof(nint)));

    public static void Create(CollectionRoot* root, BlockHeap heap)
    {
        var directory = (Directory*)CollectionRoot.Allocate(root, heap, sizeof(Directory) + (FirstBlocks * sizeof(nint)));
        directory->Buckets = MinBuckets;
        directory->Blocks = 1;
        directory->SpareNode = null;
        byte* block = CollectionRoot.Allocate(root, heap, MinBuckets * sizeof(nint));
        new Span<byte>(block, (int)MinBuckets * sizeof(nint)).Clear();
        BlocksOf(directory)[0] = block;
        root->Data = (byte*)directory;
    }

    public static uint Buckets(CollectionRoot* root) => ((Directory*)root->Data)->Buckets;

    /// <summary>Returns the link to the first of the <see cref="SpareNodes"/>. Only for sorted sets.</summary>
    public static byte** SpareNode(CollectionRoot* root) => &((Directory*)root->Data)->SpareNode;

    /// <summary>Returns the first record of a bucket, or null if the bucket is empty.</summary>
    public static byte* First(CollectionRoot* root, uint bucket) => *Slot((Directory*)root->Data, bucket);

    /// <summary>Returns the next record of a chain, or null at the end of the chain.</summary>
    public static byte* Next(byte* record) => *(byte**)record;

    public static KeyedElement Element(byte* record) => new(record, record + RecordBytes, ((int*)record)[2], ((int*)record)[3]);

    public static bool TryFind(CollectionRoot* root, ReadOnlySpan<byte> key, uint hash, out KeyedElement element)
    {
        byte* record = *Find(root, key, hash);
        element = record == null ? default : Element(record);
        return record != null;
    }

    /// <summary>Adds an element, which must not exist yet.</summary>
    /// <returns>The new record.</returns>
    public static byte* Add(CollectionRoot* root, BlockHeap heap, ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, uint hash)
    {
        byte* record = CollectionRoot.Allocate(root, heap, RecordBytes + key.Length + value.Length);
        byte** bucket = Slot((Directory*)root->Data, BucketOf(Buckets(root), hash));
        *(byte**)record = *bucket;
        ((int*)record)[2] = key.Length;
        ((int*)record)[3] = value.Length;
        BlockHeap.Tag(record) = hash;
        key.CopyTo(new Span<byte>(record + RecordBytes, key.Length));
        value.CopyTo(new Span<byte>(record + RecordBytes + key.Length, value.Length));
        *bucket = record;
        root->Count++;
        root->PayloadBytes += key.Length + value.Length;
        if (root->Count > Buckets(root))
        {
            Split(root, heap);
        }

        return record;
    }

    public static bool Remove(CollectionRoot* root, BlockHeap heap, ReadOnlySpan<byte> key, uint hash)
    {
        byte** link = Find(root, key, hash);
        if (*link == null)
        {
            return false;
        }

        Unlink(root, heap, link);
        Shrink(root, heap);
        return true;
    }

    /// <summary>Returns the head link of a bucket's chain. Use the link to walk through a bucket and to remove records with <see cref="Unlink"/>.</summary>
    public static byte** Link(CollectionRoot* root, uint bucket) => Slot((Directory*)root->Data, bucket);

    /// <summary>Removes the record that the link points to. This method does not merge buckets. To merge them, call <see cref="Shrink"/>.</summary>
    public static void Unlink(CollectionRoot* root, BlockHeap heap, byte** link)
    {
        byte* record = *link;
        *link = Next(record);
        root->Count--;
        root->PayloadBytes -= Element(record).PayloadBytes;
        CollectionRoot.Free(root, heap, record);
    }

    /// <summary>Merges two buckets if there are more than twice as many buckets as records.</summary>
    public static void Shrink(CollectionRoot* root, BlockHeap heap)
    {
        var directory = (Directory*)root->Data;
        if (directory->Buckets <= MinBuckets || directory->Buckets <= 2 * root->Count)
        {
            return;
        }

        uint last = --directory->Buckets;
        byte** from = Slot(directory, last);
        byte** to = Slot(directory, BucketOf(last, last));
        while (*to != null)
        {
            to = (byte**)*to;
        }

        *to = *from;
        *from = null;
        DropBlock(root, heap);
    }

    /// <summary>Frees at most <paramref name="steps"/> records and buckets, starting from the last bucket.</summary>
    /// <returns>The number of steps that remain (at least 1) if everything was freed; 0 if there is more to free.</returns>
    public static int Dismantle(CollectionRoot* root, BlockHeap heap, int steps)
    {
        var directory = (Directory*)root->Data;
        while (directory->Buckets > 0)
        {
            byte** bucket = Slot(directory, directory->Buckets - 1);
            while (*bucket != null)
            {
                if (steps-- <= 0)
                {
                    return 0;
                }

                Unlink(root, heap, bucket);
            }

            steps--;
            directory->Buckets--;
            DropBlock(root, heap);
        }

        SpareNodes.Free(root, heap);
        CollectionRoot.Free(root, heap, BlocksOf(directory)[0]);
        CollectionRoot.Free(root, heap, directory);
        root->Data = null;
        return Math.Max(steps, 1);
    }

    private static byte** Find(CollectionRoot* root, ReadOnlySpan<byte> key, uint hash)
    {
        byte** link = Slot((Directory*)root->Data, BucketOf(Buckets(root), hash));
        for (byte* record = *link; record != null; record = *link)
        {
            if (BlockHeap.Tag(record) == hash && ((int*)record)[2] == key.Length && new ReadOnlySpan<byte>(record + RecordBytes, key.Length).SequenceEqual(key))
            {
                return link;
            }

            link = (byte**)record;
        }

        return link;
    }

    private static void Split(CollectionRoot* root, BlockHeap heap)
    {
        var directory = (Directory*)root->Data;
        uint added = directory->Buckets;
        uint block = added >> BlockBits;
        if (block == 0)
        {
            byte* first = BlocksOf(directory)[0];
            if (BlockHeap.Capacity(first) < (added + 1) * sizeof(nint))
            {
                byte* larger = CollectionRoot.Allocate(root, heap, 2 * added * sizeof(nint));
                Buffer.MemoryCopy(first, larger, added * sizeof(nint), added * sizeof(nint));
                CollectionRoot.Free(root, heap, first);
                BlocksOf(directory)[0] = larger;
            }
        }
        else if ((added & (BlockBuckets - 1)) == 0)
        {
            directory = AddBlock(root, heap);
        }

        directory->Buckets++;
        byte** from = Slot(directory, BucketOf(added, added));
        byte** to = Slot(directory, added);
        *to = null;
        while (*from != null)
        {
            byte* record = *from;
            if (BucketOf(directory->Buckets, BlockHeap.Tag(record)) == added)
            {
                *from = Next(record);
                *(byte**)record = *to;
                *to = record;
            }
            else
            {
                from = (byte**)record;
            }
        }
    }

    private static Directory* AddBlock(CollectionRoot* root, BlockHeap heap)
    {
        var directory = (Directory*)root->Data;
        int held = BlockHeap.Capacity(root->Data) - sizeof(Directory);
        if ((directory->Blocks + 1) * sizeof(nint) > held)
        {
            byte* larger = CollectionRoot.Allocate(root, heap, sizeof(Directory) + (2 * held));
            Buffer.MemoryCopy(directory, larger, sizeof(Directory) + held, sizeof(Directory) + held);
            CollectionRoot.Free(root, heap, directory);
            root->Data = larger;
            directory = (Directory*)larger;
        }

        BlocksOf(directory)[directory->Blocks++] = CollectionRoot.Allocate(root, heap, BlockBuckets * sizeof(nint));
        return directory;
    }

    // Frees the last block if it has no buckets anymore.
    private static void DropBlock(CollectionRoot* root, BlockHeap heap)
    {
        var directory = (Directory*)root->Data;
        if (directory->Blocks > 1 && directory->Buckets == (directory->Blocks - 1) * BlockBuckets)
        {
            CollectionRoot.Free(root, heap, BlocksOf(directory)[--directory->Blocks]);
        }
    }

    // Returns the bucket of a hash. The bucket number consists of the low bits of the hash: as many bits as are needed for the highest bucket number. If there
    // is no bucket with this number yet, one bit fewer is used.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static uint BucketOf(uint buckets, uint hash)
    {
        uint mask = (uint)(((ulong)2 << BitOperations.Log2(buckets)) - 1);
        uint bucket = hash & mask;
        return bucket < buckets ? bucket : hash & (mask >> 1);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static byte** Slot(Directory* directory, uint bucket) => (byte**)BlocksOf(directory)[bucket >> BlockBits] + (bucket & (BlockBuckets - 1));

    private static byte** BlocksOf(Directory* directory) => (byte**)(directory + 1);

    private struct Directory
    {
        public uint Buckets;
        public uint Blocks;
        public byte* SpareNode;
    }
}
