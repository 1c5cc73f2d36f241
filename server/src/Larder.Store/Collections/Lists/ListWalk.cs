namespace Larder.Store.Collections;

/// <summary>A walk through a list that starts at an index. The list must not change during the walk.</summary>
internal unsafe struct ListWalk(CollectionRoot* root, long first)
{
    private long _index = first;
    private byte* _at;
    private byte* _end;

    /// <summary>Returns the next element. The caller must ensure that there is a next element.</summary>
    public ReadOnlySpan<byte> Next()
    {
        if (_at == _end)
        {
            TreePath path = CountedTree.PathTo(root, _index);
            var leaf = (ListLeaf*)path.Leaf;
            _at = ListLeaf.Find(leaf, (int)(_index - path.Before));
            _end = ListLeaf.At(leaf, leaf->End);
        }

        _index++;
        return ListLeaf.Read(ref _at);
    }
}
