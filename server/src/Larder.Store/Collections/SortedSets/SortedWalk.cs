namespace Larder.Store.Collections;

/// <summary>A walk through a sorted set from one rank on, up or down. Nothing is changed meanwhile.</summary>
internal unsafe struct SortedWalk
{
    private readonly CollectionRoot* _root;
    private readonly int _step;
    private long _rank;
    private byte* _leaf;
    private int _at;

    // Of packed elements, which are read forwards only: where each begins.
    private fixed ushort _offsets[PackedElements.MostMembers];

    /// <param name="root">The sorted set.</param>
    /// <param name="rank">The rank of the first element.</param>
    /// <param name="count">How many will be asked for.</param>
    /// <param name="step">1 or -1.</param>
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

    /// <summary>The next element; there is one.</summary>
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
