using Larder.Store.Collections;

namespace Larder.Store;

/// <summary>Checks that a shard's collections and their memory match its accounts.</summary>
internal sealed unsafe partial class Shard
{
    private void AssertCollections()
    {
        long linked = 0;
        for (int number = 1; number < _heap.Numbered; number++)
        {
            if (_heap[number].State is SegmentState.Open or SegmentState.Sealed or SegmentState.Victim)
            {
                for (int offset = 0; offset < _heap[number].UsedBytes; offset += EntryHeader.SizeOf(_heap.EntryIn(number, offset)))
                {
                    EntryHeader* entry = _heap.EntryIn(number, offset);
                    if (!entry->Dead && entry->Type != ItemType.Scalar)
                    {
                        CollectionValidation.AssertValid(RootOf(entry), _parts.Spaces[entry->SpaceId].Cache.HashSeed);
                        linked += RootOf(entry)->ChargedBytes;
                    }
                }
            }
        }

        Invariant.Holds(linked == _linkedBytes, "the collections' accounts match their roots");
        long leaving = 0;
        foreach (nint root in _leaving)
        {
            leaving += ((CollectionRoot*)root)->ChargedBytes;
        }

        Invariant.Holds(linked + leaving == _blocks.AllocatedBytes, "each block belongs to a collection");
        Invariant.Holds(_promised.Bytes == 0, "no call is under way");
        _blocks.AssertValid();
    }
}
