namespace Larder.Store.Collections;

/// <summary>The elements of a sorted set. Either they are packed in order, or they are records of a hash table with an ordered tree of the records.</summary>
internal static unsafe class SortedElements
{
    /// <summary>Adds a member or replaces its score.</summary>
    public static void Put(CollectionRoot* root, BlockHeap heap, ReadOnlySpan<byte> member, double score, ulong seed)
    {
        // Converts -0 to 0. Both are equal, so they must be stored as the same score.
        score += 0.0;
        if (KeyedElements.TryFind(root, member, seed, out KeyedElement present))
        {
            if (present.Score.Equals(score))
            {
                return;
            }

            if (!root->IsPacked)
            {
                OrderTree.Remove(root, heap, present.Score, member);
                present.Score = score;
                OrderTree.Insert(root, heap, new ScoredRecord(score, present.At));
                return;
            }

            PackedElements.Remove(root, present);
        }

        if (root->IsPacked && !KeyedElements.Outgrows(root, member.Length, PackedScore.MaxBytes))
        {
            byte* packed = stackalloc byte[PackedScore.MaxBytes];
            var value = new ReadOnlySpan<byte>(packed, PackedScore.Write(packed, score));
            PackedElements.Insert(heap, root, PlaceOf(root, score, member), member, value);
            return;
        }

        if (root->IsPacked)
        {
            KeyedElements.Unpack(root, heap, seed);
        }

        AddRecord(root, heap, member, score, seed);
    }

    /// <summary>Adds a member, which must not exist yet, to a large sorted set.</summary>
    public static void AddRecord(CollectionRoot* root, BlockHeap heap, ReadOnlySpan<byte> member, double score, ulong seed)
    {
        var value = new ReadOnlySpan<byte>(&score, sizeof(double));
        byte* record = HashIndex.Add(root, heap, member, value, KeyedElements.HashOf(member, seed));
        OrderTree.Insert(root, heap, new ScoredRecord(score, record));
    }

    public static bool Remove(CollectionRoot* root, BlockHeap heap, ReadOnlySpan<byte> member, ulong seed)
    {
        if (root->IsPacked)
        {
            return KeyedElements.Remove(root, heap, member, seed);
        }

        uint hash = KeyedElements.HashOf(member, seed);
        bool isThere = HashIndex.TryFind(root, member, hash, out KeyedElement element);
        if (isThere)
        {
            OrderTree.Remove(root, heap, element.Score, member);
            HashIndex.Remove(root, heap, member, hash);
        }

        return isThere;
    }

    /// <summary>Returns the number of elements before an existing member.</summary>
    public static long RankOf(CollectionRoot* root, in KeyedElement element)
    {
        if (!root->IsPacked)
        {
            return OrderTree.RankOf(root, element.Score, element.Key);
        }

        long rank = 0;
        for (byte* at = root->Data; at < element.At; rank++)
        {
            at = PackedElements.Read(at).End;
        }

        return rank;
    }

    /// <summary>
    /// Returns the number of elements with a smaller score. If <paramref name="orEqual"/> is true, elements with the same score are included.
    /// </summary>
    public static long CountBelow(CollectionRoot* root, double score, bool orEqual)
    {
        if (!root->IsPacked)
        {
            return OrderTree.CountBelow(root, score, orEqual);
        }

        long below = 0;
        byte* end = root->Data + root->UsedBytes;
        for (byte* at = root->Data; at < end; below++)
        {
            KeyedElement element = PackedElements.Read(at);
            if (element.Score > score || (!orEqual && element.Score >= score))
            {
                break;
            }

            at = element.End;
        }

        return below;
    }

    // Returns the number of bytes of packed elements before this position in the sort order.
    private static int PlaceOf(CollectionRoot* root, double score, ReadOnlySpan<byte> member)
    {
        byte* at = root->Data;
        byte* end = at + root->UsedBytes;
        while (at < end)
        {
            KeyedElement element = PackedElements.Read(at);
            if (element.Score > score || (element.Score == score && element.Key.SequenceCompareTo(member) > 0))
            {
                break;
            }

            at = element.End;
        }

        return (int)(at - root->Data);
    }
}
