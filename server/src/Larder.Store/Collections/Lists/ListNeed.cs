namespace Larder.Store.Collections;

/// <summary>The memory that is needed to push the elements of a request. This memory does not depend on the current content of the list.</summary>
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

    /// <summary>The number of leaves that the elements fill, including the first.</summary>
    public long Leaves { get; }

    /// <summary>The number of bytes of the leaves after the first, including headers.</summary>
    public long NewBytes { get; }

    /// <summary>The number of bytes of the largest leaf after the first, including its header.</summary>
    public long LargestBytes { get; }

    /// <summary>The number of bytes of the elements in the last leaf.</summary>
    public long Fill { get; }
}
