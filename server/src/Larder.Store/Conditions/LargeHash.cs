using System.Runtime.CompilerServices;

namespace Larder.Store;

/// <summary>
/// The hash of a large value, computed without the shard's lock. Later, while the lock is held, the address and the serial number identify the hashed entry.
/// </summary>
internal struct LargeHash
{
    public uint Address;

    /// <summary>The <see cref="Segment.Serial"/> of the entry's segment; 0 if nothing was hashed.</summary>
    public long Serial;

    public Bytes16 Hash;

    [InlineArray(Cache.ValueHashBytes)]
    public struct Bytes16
    {
        private byte _first;
    }
}
