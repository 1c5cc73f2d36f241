using System.Runtime.CompilerServices;

namespace Larder.Store;

/// <summary>The hash of a large value, made without its shard's lock, and by which its entry is known again under it.</summary>
internal struct LargeHash
{
    public uint Address;

    /// <summary>The entry's <see cref="Segment.Serial"/>; 0 where nothing was hashed.</summary>
    public long Serial;

    public Bytes16 Hash;

    [InlineArray(Cache.ValueHashBytes)]
    public struct Bytes16
    {
        private byte _first;
    }
}
