namespace Larder.Store.Collections;

/// <summary>
/// A circular walk through a set's elements from a random start. After the last element, the walk continues with the first one. A copy of this struct visits
/// the same elements in the same order. Elements can be removed during the walk.
/// </summary>
internal unsafe struct RandomWalk
{
    private readonly CollectionRoot* _root;
    private uint _bucket;
    private int _offset;
    private byte* _record;

    /// <param name="root">
    /// A set with at least one element. During the walk, only the walk itself may change the set, and the number of buckets must stay the same.
    /// </param>
    public RandomWalk(CollectionRoot* root)
    {
        _root = root;
        if (!root->IsPacked)
        {
            _bucket = (uint)Random.Shared.NextInt64(HashIndex.Buckets(root));
            _record = HashIndex.First(root, _bucket);
        }
        else
        {
            _offset = (int)(PackedElements.At(root, Random.Shared.NextInt64(root->Count)).At - root->Data);
        }
    }

    public readonly CollectionRoot* Root => _root;

    /// <summary>Returns the next element. The set must not be empty.</summary>
    public KeyedElement Next()
    {
        if (_root->IsPacked)
        {
            if (_offset >= _root->UsedBytes)
            {
                _offset = 0;
            }

            KeyedElement element = PackedElements.Read(_root->Data + _offset);
            _offset = (int)(element.End - _root->Data);
            return element;
        }

        while (_record == null)
        {
            _bucket = _bucket + 1 < HashIndex.Buckets(_root) ? _bucket + 1 : 0;
            _record = HashIndex.First(_root, _bucket);
        }

        byte* record = _record;
        _record = HashIndex.Next(record);
        return HashIndex.Element(record);
    }

    /// <summary>Removes the last visited element.</summary>
    public void Remove(BlockHeap heap, KeyedElement element)
    {
        if (_root->IsPacked)
        {
            _offset = (int)(element.At - _root->Data);
            PackedElements.Remove(_root, element);
            return;
        }

        byte** link = HashIndex.Link(_root, _bucket);
        while (*link != element.At)
        {
            link = (byte**)*link;
        }

        HashIndex.Unlink(_root, heap, link);
    }
}
