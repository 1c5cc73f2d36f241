namespace Larder.Store.Collections;

/// <summary>What pushing the elements of a request needs, whatever list it is.</summary>
internal readonly record struct ListNeed
{
    public ListNeed(scoped in CollectionBatch batch)
    {
        Leaves = 1;
        for (int i = 0; i < batch.Count; i++)
        {
            int size = ListLeaf.SizeOf(batch.NameAt(i).Length);
            if (Fill + size > ListLeaf.Bytes)
            {
                long leaf = ListElements.LeafSize(Math.Max(size, ListLeaf.Bytes));
                NewBytes += leaf;
                LargestBytes = Math.Max(LargestBytes, leaf);
                Leaves++;
                Fill = 0;
            }

            Fill += size;
        }
    }

    /// <summary>Leaves that they fill, with the first.</summary>
    public long Leaves { get; }

    /// <summary>Bytes, with headers, of the leaves after the first.</summary>
    public long NewBytes { get; }

    /// <summary>Bytes, with its header, of the largest of those leaves.</summary>
    public long LargestBytes { get; }

    /// <summary>Bytes of elements in the last leaf.</summary>
    public long Fill { get; }
}
