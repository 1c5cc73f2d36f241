using System.Numerics;
using System.Runtime.CompilerServices;

namespace Larder.Store.Collections;

/// <summary>
/// A large collection's elements by key: a record each, in chains from buckets that number as many as there are records. Linear hashing: each record more
/// splits one bucket, each one less than half joins two, so that no write does more. Buckets stand in blocks of 512; the first begins with 64 and doubles.
/// A record: the next of its chain, the lengths of key and value, both of them; its hash in the tag of its block.
/// </summary>
internal static unsafe partial class HashIndex
{
    /// <summary>Bytes of a record before its key.</summary>
    public const int RecordBytes = 16;

    private const uint LeastBuckets = 64;
    private const int BlockBits = 9;
    private const uint BlockBuckets = 1 << BlockBits;
    private const int FirstBlocks = 7;

    /// <summary>What so many records with so many bytes of keys and values, so many of them in one, may need more.</summary>
    public static BlockNeed NeedFor(CollectionRoot* root, long records, long bytes, long largest)
    {
        long blocks = (records / BlockBuckets) + 2;
        bool isNew = root == null || root->IsPacked;
        long present = isNew ? 0 : ((Directory*)root->Data)->Blocks;
        long fit = isNew ? 0 : (BlockHeap.Capacity(root->Data) - sizeof(Directory)) / sizeof(nint);
        // A directory that grows does so by doubling, and is copied each time.
        long directory = present + blocks <= fit ? 0 : BlockHeap.SizeOf(sizeof(Directory) + (4 * (FirstBlocks + present + blocks) * sizeof(nint)));
        // A record's header, its own, and what rounds it up.
        long each = BlockHeap.HeaderBytes + RecordBytes + 15;
        BlockNeed all = new(bytes + (records * each), BlockHeap.SizeOf(RecordBytes + largest));
        return all + BlockNeed.Of(blocks, BlockHeap.SizeOf(BlockBuckets * sizeof(nint))) + BlockNeed.Of(1, directory);
    }

    /// <summary>Bytes that records and buckets take at least, with headers.</summary>
    public static long LeastBytes(CollectionRoot* root) => root->PayloadBytes + (root->Count * (BlockHeap.HeaderBytes + RecordBytes + sizeof(nint)));

    public static void Create(CollectionRoot* root, BlockHeap heap)
    {
        var directory = (Directory*)CollectionRoot.Allocate(root, heap, sizeof(Directory) + (FirstBlocks * sizeof(nint)));
        directory->Buckets = LeastBuckets;
        directory->Blocks = 1;
        directory->SpareNode = null;
        byte* block = CollectionRoot.Allocate(root, heap, LeastBuckets * sizeof(nint));
        new Span<byte>(block, (int)LeastBuckets * sizeof(nint)).Clear();
        BlocksOf(directory)[0] = block;
        root->Data = (byte*)directory;
    }

    public static uint Buckets(CollectionRoot* root) => ((Directory*)root->Data)->Buckets;

    /// <summary>Of a sorted set, the first of its <see cref="SpareNodes"/>.</summary>
    public static byte** SpareNode(CollectionRoot* root) => &((Directory*)root->Data)->SpareNode;

    /// <summary>The first record of a bucket, or null.</summary>
    public static byte* First(CollectionRoot* root, uint bucket) => *Slot((Directory*)root->Data, bucket);

    /// <summary>The next record of a chain, or null.</summary>
    public static byte* Next(byte* record) => *(byte**)record;

    public static KeyedElement Element(byte* record) => new(record, record + RecordBytes, ((int*)record)[2], ((int*)record)[3]);

    public static bool TryFind(CollectionRoot* root, ReadOnlySpan<byte> key, uint hash, out KeyedElement element)
    {
        byte* record = *Find(root, key, hash);
        element = record == null ? default : Element(record);
        return record != null;
    }

    /// <summary>Adds an element that is not there.</summary>
    /// <returns>Its record.</returns>
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

    /// <summary>Where a chain refers to a record: to go through a bucket and take records out (<see cref="Unlink"/>).</summary>
    public static byte** Link(CollectionRoot* root, uint bucket) => Slot((Directory*)root->Data, bucket);

    /// <summary>Takes out the record that is referred to here, and leaves the buckets as they are (<see cref="Shrink"/>).</summary>
    public static void Unlink(CollectionRoot* root, BlockHeap heap, byte** link)
    {
        byte* record = *link;
        *link = Next(record);
        root->Count--;
        root->PayloadBytes -= Element(record).PayloadBytes;
        CollectionRoot.Free(root, heap, record);
    }

    /// <summary>Joins a bucket with another where they are more than twice as many as the records.</summary>
    public static void Shrink(CollectionRoot* root, BlockHeap heap)
    {
        var directory = (Directory*)root->Data;
        if (directory->Buckets <= LeastBuckets || directory->Buckets <= 2 * root->Count)
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

    /// <summary>Frees records and buckets from the last on, so many at most.</summary>
    /// <returns>How many are left to free; 0: everything is freed.</returns>
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

    // Of buckets that are no more.
    private static void DropBlock(CollectionRoot* root, BlockHeap heap)
    {
        var directory = (Directory*)root->Data;
        if (directory->Blocks > 1 && directory->Buckets == (directory->Blocks - 1) * BlockBuckets)
        {
            CollectionRoot.Free(root, heap, BlocksOf(directory)[--directory->Blocks]);
        }
    }

    // Of so many buckets, the one of a hash: by as many of its low bits as number the larger power of two, or one less where that bucket is not there yet.
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
