namespace Larder.Store.Collections;

/// <summary>A walk through a sorted set that starts at a rank, forwards or backwards. The set must not change during the walk.</summary>
internal unsafe struct SortedWalk
{
    private readonly CollectionRoot* _root;
    private readonly int _step;
    private long _rank;
    private byte* _leaf;
    private int _at;

    // The offset of each packed element. The offsets are needed because packed elements can only be read forwards.
    private fixed ushort _offsets[PackedElements.MaxMembers];

    /// <param name="root">The sorted set.</param>
    /// <param name="rank">The rank of the first element to return.</param>
    /// <param name="count">The number of elements to return.</param>
    /// <param name="step">1 for ascending order, -1 for descending order.</param>
    public SortedWalk(CollectionRoot* root, long rank, long count, int step)
    {
        _root = root;
        _rank = rank;
        _step = step;
        if (root->IsPacked && count > 0)
        {
            byte* at = root->Data;
            for (int i = 0; i < root->Count; i++)
            {
                _offsets[i] = (ushort)(at - root->Data);
                at = PackedElements.Read(at).End;
            }
        }
    }

    /// <summary>Returns the next element. The caller must ensure that there is a next element.</summary>
    public KeyedElement Next()
    {
        long rank = _rank;
        _rank += _step;
        if (_root->IsPacked)
        {
            return PackedElements.Read(_root->Data + _offsets[rank]);
        }

        if (_leaf == null || _at < 0 || _at >= OrderTree.CountOf(_leaf))
        {
            TreePath path = CountedTree.PathTo(_root, rank);
            _leaf = path.Leaf;
            _at = (int)(rank - path.Before);
        }

        byte* record = OrderTree.Items(_leaf)[_at].Record;
        _at += _step;
        return HashIndex.Element(record);
    }
}
